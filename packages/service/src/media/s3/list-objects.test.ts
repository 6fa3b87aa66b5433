import { expect, test } from 'vitest';
import { parsePage } from './list-objects.ts';

const HEAD = '<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">';
const object = (key: string, more = '') =>
  `<Contents><Key>${key}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>&quot;e1-2&quot;</ETag><Size>42</Size>${more}<StorageClass>STANDARD</StorageClass></Contents>`;

test('reads keys, sizes and ETags of a page, and the token of the next one', () => {
  const xml = `${HEAD}<Name>b</Name><Prefix>in/</Prefix><IsTruncated>true</IsTruncated>${object('in/a%20b.mov')}${object('in/c+d.mov')}<EncodingType>url</EncodingType><NextContinuationToken>1&amp;2==</NextContinuationToken></ListBucketResult>\n`;
  expect(parsePage(xml)).toEqual({
    objects: [
      { key: 'in/a%20b.mov', sizeBytes: 42, etag: 'e1-2' },
      { key: 'in/c+d.mov', sizeBytes: 42, etag: 'e1-2' },
    ],
    isEncoded: true,
    next: '1&2==',
  });
});

test('a list without objects is a page', () => {
  expect(parsePage(`${HEAD}<IsTruncated>false</IsTruncated></ListBucketResult>`)).toEqual({
    ...{ objects: [], isEncoded: false, next: undefined },
  });
});

test('keys of a server that does not encode them are read as XML', () => {
  const key = 'in/a &amp; b &lt;EncodingType>url.mov&#x41;';
  expect(parsePage(`${HEAD}${object(key)}</ListBucketResult>`)).toMatchObject({
    ...{ objects: [{ key: 'in/a & b <EncodingType>url.movA' }], isEncoded: false },
  });
});

test('the size and the ETag of an object are its own, in whatever order', () => {
  const xml = `${HEAD}<Contents><Size>1</Size><Key>a</Key></Contents><Contents><ETag>"x"</ETag><Key>b</Key><Size>2</Size></Contents></ListBucketResult>`;
  expect(parsePage(xml)?.objects).toEqual([
    { key: 'a', sizeBytes: 1, etag: '' },
    { key: 'b', sizeBytes: 2, etag: 'x' },
  ]);
});

test.each([
  ['an error', '<?xml version="1.0"?><Error><Code>SlowDown</Code></Error>'],
  ['a page of a proxy', '<html><body>Bad gateway</body></html>'],
  ['a reply that was cut off', `${HEAD}${object('a')}`],
  [
    'a list that goes on, but does not say where',
    `${HEAD}<IsTruncated>true</IsTruncated>${object('a')}</ListBucketResult>`,
  ],
  ['an object that was cut off', `${HEAD}<Contents><Key>a</Key></ListBucketResult>`],
])('%s is not a page', (_what, xml) => {
  expect(parsePage(xml)).toBeUndefined();
});
