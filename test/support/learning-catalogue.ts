import { type Catalogue, componentKey, type MissingFacts } from '../../packages/ffmpeg/src/catalogue/catalogue.ts';

/** A catalogue that learns what it is asked, with an empty help text for each component. */
export function learning(current: Catalogue) {
  let steps = 0;
  let largest = 0;
  const ensure = async (findMissing: (catalogue: Catalogue) => MissingFacts | undefined): Promise<Catalogue> => {
    for (let missing = findMissing(current); missing !== undefined; missing = findMissing(current)) {
      steps += 1;
      largest = Math.max(largest, missing.options.length + missing.components.length);
      const cli = new Map(current.cli);
      for (const name of missing.options) cli.set(name, { argument: true, place: 'both' });
      const components = new Map(current.components);
      for (const component of missing.components) components.set(componentKey(component), { text: '' });
      current = { ...current, cli, components };
    }
    return current;
  };
  const live = {
    get current() {
      return current;
    },
    ensure,
  };
  return { live, asked: () => ({ steps, largest }) };
}
