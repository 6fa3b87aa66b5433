import { expect, test } from 'vitest';
import { childrenOf, readXml } from './dash.ts';

test('finds elements by their names without namespaces, with their attributes and texts', async () => {
  const root = await readXml(
    '<?xml version="1.0"?><m:MPD xmlns:m="urn:m"><m:URL a="&amp;">x<![CDATA[&]]></m:URL><b/><URL/></m:MPD>',
  );
  const urls = childrenOf(root, 'URL');
  expect(urls.map(({ attributes, text }) => [Object.entries(attributes), text])).toEqual([
    [[['a', '&']], 'x&'],
    [[], ''],
  ]);
  expect(childrenOf(root, 'constructor')).toEqual([]);
});

test.each([
  ['', 'no element'],
  ['no XML', 'no element'],
  ['<a><b></a>', 'tags that do not match'],
  ['<a>', 'an open tag'],
  ['<a b="1" b="2"/>', 'an attribute twice'],
  ['<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', 'an entity of a DTD'],
])('rejects %j: %s', async (text) => {
  await expect(readXml(text)).rejects.toThrow();
});

test('leaves the event loop to others while it reads a long text', async () => {
  let turns = 0;
  const count = (): void => {
    turns += 1;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  const { children } = await readXml(`<a>${'<b c="d"/>'.repeat(20_000)}</a>`);
  clearImmediate(timer);
  expect(children.get('b')).toHaveLength(20_000);
  expect(turns).toBeGreaterThanOrEqual(12);
});
