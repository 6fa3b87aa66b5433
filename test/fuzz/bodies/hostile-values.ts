import type { FastifyInstance } from 'fastify';
import { render } from './gene.ts';
import { fuzzTargets } from './targets.ts';

type Json = unknown;

/** Values that are valid JSON, and for which operations on any value of JavaScript can throw or take for something else. */
const HOSTILE_VALUES: Readonly<Record<string, Json>> = {
  'an object without a text': { toString: 1, valueOf: 1 },
  'a list of an object without a text': [{ toString: 1, valueOf: 1 }],
  'an object with members without a text': { key: { toString: 1, valueOf: 1 }, title: { toString: 1, valueOf: 1 } },
  'an object with the members of a list': { length: -1, map: 1, join: 1, 0: 1 },
  'an object with the members of all objects': { constructor: 1, hasOwnProperty: 1, toJSON: 1 },
  'a name of Object.prototype': 'hasOwnProperty',
  'a deep list': JSON.parse(`${'['.repeat(60)}${']'.repeat(60)}`) as Json,
  null: null,
  true: true,
  'an empty object': {},
  'an empty list': [],
  'an empty text': '',
  'a number that is no integer': 0.5,
  'a number above all limits': 1e308,
  'a number below all limits': -1e308,
  'a long name': 'n'.repeat(300),
  'a long path': `${'p'.repeat(200)}/`.repeat(21),
  'a path out of the root': '../../etc/passwd',
  'a text with all kinds of marks': '%d%n$1{0}\\u0000\u202e\u009b[31m\u001b]0;x\u0007\r\n"\'`<>&;|',
  'an address': 'http://[::1]:1/%00?a=b#c',
};

/** Each place of a document, the names and indexes that lead to it, and in each object two members that it lacks. */
function placesOf(document: Json): readonly (readonly string[])[] {
  if (typeof document !== 'object' || document === null) return [[]];
  const lacking = Array.isArray(document) ? [] : ['unknown', 'metadata'].filter((name) => !(name in document));
  const inner = Object.entries(document).flatMap(([name, value]) => placesOf(value).map((place) => [name, ...place]));
  return [[], ...lacking.map((name) => [name]), ...inner];
}

/** The document with a value at a place. */
function withValueAt(document: Json, [name, ...rest]: readonly string[], value: Json): Json {
  if (name === undefined) return value;
  const inner = withValueAt((document as Record<string, Json>)[name], rest, value);
  if (Array.isArray(document)) return document.with(Number(name), inner);
  return { ...(document as object), [name]: inner };
}

/** The documents with which a fuzz begins, of each operation and tool, with each hostile value at each place. */
export const hostileRows = () =>
  [...new Set(fuzzTargets())].flatMap(({ name, seeds, send }) =>
    seeds.flatMap((gene) => {
      const document: Json = JSON.parse(render(gene, 1) ?? 'null');
      return placesOf(document).flatMap((place) =>
        Object.entries(HOSTILE_VALUES).map(([what, value]) => ({
          row: `${name} ${place.join('/')}: ${what}`,
          send: (app: FastifyInstance) => send(app, JSON.stringify(withValueAt(document, place, value))),
        })),
      );
    }),
  );
