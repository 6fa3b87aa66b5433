/** The keys of the whole console, with what each does. */
export const KEYS = [
  { name: 'palette', keys: ['Control', 'K'], does: 'Search pages, recipes, jobs and files' },
  { name: 'search', keys: ['/'], does: 'Search this page' },
  { name: 'run', keys: ['Control', 'Enter'], does: 'Convert, start the watch, or save the recipe' },
  { name: 'keys', keys: ['?'], does: 'Show the keys' },
] as const satisfies readonly { readonly name: string; readonly keys: readonly string[]; readonly does: string }[];

type KeyName = (typeof KEYS)[number]['name'];

interface PressedKey {
  readonly key: string;
  readonly hasControl: boolean;
  readonly hasAlt: boolean;
}

/** What a pressed key means. `isTyping`: the key goes into a text, so only keys with Control mean something else. */
export function keyMeaning({ key, hasControl, hasAlt }: PressedKey, isTyping: boolean): KeyName | undefined {
  if (hasAlt) return undefined;
  if (hasControl) return key.toLowerCase() === 'k' ? 'palette' : key === 'Enter' ? 'run' : undefined;
  if (isTyping) return undefined;
  return key === '/' ? 'search' : key === '?' ? 'keys' : undefined;
}

const isMac = (): boolean => /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '');

/** A key as it is labelled on this machine: `Ctrl K`, or `⌘ K`. */
export function keyText(name: KeyName): string {
  const keys: readonly string[] = KEYS.find((one) => one.name === name)?.keys ?? [];
  return keys.map((key) => (key === 'Control' ? (isMac() ? '⌘' : 'Ctrl') : key)).join(' ');
}
