/** A JSON document whose parts can be repeated, so that the same document has several sizes. */
export type Gene =
  /** `start`, then `unit` and at the end `close` so many times: `scale=1:1:1:`, `((()))`. */
  | {
      readonly kind: 'text';
      readonly start: string;
      readonly unit: string;
      readonly close: string;
      readonly count: number;
    }
  | { readonly kind: 'value'; readonly value: number | boolean | null }
  | { readonly kind: 'list'; readonly items: readonly Gene[]; readonly count: number }
  | { readonly kind: 'object'; readonly members: readonly Member[]; readonly repeated?: RepeatedMember | undefined };

export interface Member {
  readonly name: string;
  readonly gene: Gene;
}

/** The same member under names that differ by a number at the end. */
export interface RepeatedMember extends Member {
  readonly count: number;
}

/** Parts that come at least so often are those that a scale repeats more often. */
const REPEATED = 4;

const scaled = (count: number, scale: number): number => (count >= REPEATED ? count * scale : count);

/** Stops a text or a document that becomes larger than this. */
const MOST = 2 * 2 ** 20;

/** The JSON of a gene with its repetitions `scale` times as often. undefined if it is larger than any body. */
export function render(gene: Gene, scale: number): string | undefined {
  switch (gene.kind) {
    case 'value':
      return JSON.stringify(gene.value);
    case 'text': {
      const { start, unit, close, count } = gene;
      const times = scaled(count, scale);
      if ((unit.length + close.length) * times > MOST) return undefined;
      return JSON.stringify(start + unit.repeat(times) + close.repeat(times));
    }
    case 'list': {
      const items = gene.items.map((item) => render(item, scale));
      if (items.includes(undefined)) return undefined;
      const text = items.join(',');
      const times = text === '' ? 0 : scaled(gene.count, scale);
      return text.length * times > MOST ? undefined : `[${Array.from({ length: times }, () => text).join(',')}]`;
    }
    case 'object': {
      const members = new Map<string, string>();
      for (const { name, gene: value } of gene.members) {
        const text = render(value, scale);
        if (text === undefined) return undefined;
        members.set(name, text);
      }
      if (gene.repeated !== undefined) {
        const { name, gene: value, count } = gene.repeated;
        const text = render(value, scale);
        if (text === undefined || text.length * scaled(count, scale) > MOST) return undefined;
        for (let i = 0; i < scaled(count, scale); i++) members.set(`${name}${i}`, text);
      }
      return `{${[...members].map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
    }
  }
}

/** A JSON value as a gene without repetitions. */
export function geneOf(value: unknown): Gene {
  if (typeof value === 'string') return { kind: 'text', start: value, unit: '', close: '', count: 0 };
  if (Array.isArray(value)) return { kind: 'list', items: value.map(geneOf), count: 1 };
  if (typeof value === 'object' && value !== null)
    return { kind: 'object', members: Object.entries(value).map(([name, one]) => ({ name, gene: geneOf(one) })) };
  return { kind: 'value', value: typeof value === 'number' || typeof value === 'boolean' ? value : null };
}

const SHOWN = 30;
const shown = (text: string): string => JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);

/** A gene in a line: `{"vf": "scale=" "1:"×900}`. */
export function describe(gene: Gene): string {
  switch (gene.kind) {
    case 'value':
      return JSON.stringify(gene.value);
    case 'text':
      return gene.count === 0
        ? shown(gene.start)
        : `${shown(gene.start)} ${shown(gene.unit)}×${gene.count}${gene.close === '' ? '' : ` ${shown(gene.close)}×${gene.count}`}`;
    case 'list':
      return `[${gene.items.map(describe).join(', ')}]${gene.count === 1 ? '' : `×${gene.count}`}`;
    case 'object': {
      const members = gene.members.map((one) => `${shown(one.name)}: ${describe(one.gene)}`);
      if (gene.repeated !== undefined)
        members.push(`${shown(gene.repeated.name)}0…: ${describe(gene.repeated.gene)} ×${gene.repeated.count}`);
      return `{${members.join(', ')}}`;
    }
  }
}
