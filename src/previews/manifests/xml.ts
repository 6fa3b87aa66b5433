import { nextTurn } from '../../domain/steps.ts';

/** An element of XML, without namespaces. */
export interface XmlElement {
  /** By their names as written. It has no prototype. */
  readonly attributes: Readonly<Partial<Record<string, string>>>;
  /** The elements inside it by their names, each in the order of the text. */
  readonly children: Map<string, XmlElement[]>;
  /** The text of the element, without the text of its child elements. */
  text: string;
}

/** How many characters are read in one turn of the event loop: 1 to 3 ms. */
const PIECE = 16_384;

/**
 * Reads the root element of a text in steps. Throws for text that is not XML, for an entity that only a DTD defines, and the
 * reason of an abort of `signal`.
 */
export async function readXml(text: string, signal?: AbortSignal): Promise<XmlElement> {
  const { SaxesParser } = await import('saxes');
  const parser = new SaxesParser({ xmlns: false, position: false } as const);
  const around: XmlElement[] = [{ attributes: {}, children: new Map(), text: '' }];
  parser.on('opentag', ({ name, attributes }) => {
    const element: XmlElement = { attributes, children: new Map(), text: '' };
    const local = name.slice(name.indexOf(':') + 1);
    const siblings = around.at(-1)?.children;
    const same = siblings?.get(local);
    if (same === undefined) siblings?.set(local, [element]);
    else same.push(element);
    around.push(element);
  });
  parser.on('closetag', () => void around.pop());
  const addText = (more: string): void => {
    const element = around.at(-1);
    if (element !== undefined) element.text += more;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  // It goes on after an error otherwise.
  parser.on('error', (error) => {
    throw error;
  });
  for (let at = 0; at < text.length; at += PIECE) {
    if (at > 0) await nextTurn(signal);
    parser.write(text.slice(at, at + PIECE));
  }
  parser.close();
  const [root] = [...(around[0]?.children.values() ?? [])].flat();
  if (root === undefined) throw new Error('The text has no element.');
  return root;
}

/** The elements of a name that are directly in an element. */
export const childrenOf = (element: XmlElement, name: string): readonly XmlElement[] =>
  element.children.get(name) ?? [];
