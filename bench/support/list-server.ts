/**
 * An object store that only lists `FOLDERS` folders with `COUNT` objects altogether, for `bench:watch-idle`: a process of its own, so that
 * its processor time does not count. Prints its address. `/-/lists` says when it was listed from its beginning. Arguments: COUNT FOLDERS.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const [, , count = '1000', folders = '1'] = process.argv;
const [COUNT, FOLDERS] = [Number(count), Number(folders)];
const PAGE = 1000;

/** The key of an object, in the order of the list. */
const keyOf = (index: number): string => {
  const perFolder = Math.ceil(COUNT / FOLDERS);
  const folder = String(Math.floor(index / perFolder)).padStart(5, '0');
  return `in/${FOLDERS === 1 ? '' : `${folder}/`}GX01${String(index).padStart(7, '0')}.MOV`;
};
const objectOf = (index: number): string =>
  `<Contents><Key>${encodeURIComponent(keyOf(index))}</Key><LastModified>2026-01-01T12:00:00.000Z</LastModified><ETag>&quot;${index.toString(16).padStart(32, '0')}&quot;</ETag><Size>${index + 1}</Size><StorageClass>STANDARD</StorageClass><Owner><ID>bench</ID><DisplayName>bench</DisplayName></Owner><Type>Normal</Type></Contents>`;

const lists: number[] = [];
const server = createServer((request, response) => {
  const { searchParams, pathname } = new URL(request.url ?? '/', 'http://localhost');
  if (pathname === '/-/lists') {
    response.end(JSON.stringify(lists));
    return;
  }
  if (searchParams.get('prefix') === 'in/' && !searchParams.has('continuation-token')) lists.push(performance.now());
  const first = Number(searchParams.get('continuation-token') ?? 0);
  const next = Math.min(first + PAGE, COUNT);
  const objects = Array.from({ length: next - first }, (_, i) => objectOf(first + i)).join('');
  const more = next < COUNT;
  response.setHeader('content-type', 'application/xml');
  response.end(
    `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>bench</Name><Prefix>in/</Prefix><MaxKeys>${PAGE}</MaxKeys><EncodingType>url</EncodingType><IsTruncated>${more}</IsTruncated>${objects}${more ? `<NextContinuationToken>${next}</NextContinuationToken>` : ''}</ListBucketResult>`,
  );
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
