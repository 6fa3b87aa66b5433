import { expect, test } from 'vitest';
import { readServiceLimits } from '../config/service-limits.ts';
import { connectionLimits } from './connection-limits.ts';
import { directOrigins } from './http.ts';

const limitsOf = (text: string, openFiles: number) => {
  const { all, withoutToken, withoutTokenPerAddress } = connectionLimits(readServiceLimits(text), () => openFiles);
  return [all, withoutToken, withoutTokenPerAddress];
};

test('connections use at most half of the files that the process may open', () => {
  expect(limitsOf('', 1_048_576)).toEqual([4096, 1024, 256]);
  expect(limitsOf('', Number.POSITIVE_INFINITY)).toEqual([4096, 1024, 256]);
  expect(limitsOf('', 1024)).toEqual([512, 128, 64]);
  expect(limitsOf('', 20)).toEqual([64, 16, 8]);
});

test('the operator can set each limit, but one address never takes all connections without a token', () => {
  expect(
    limitsOf('connections=20000,connections-without-token=8000,connections-without-token-per-address=1000', 1024),
  ).toEqual([20_000, 8000, 1000]);
  expect(limitsOf('connections-without-token=100,connections-without-token-per-address=100', 1_048_576)).toEqual([
    4096, 100, 50,
  ]);
});

const storage = { bucket: 'media', prefix: '' };
const PUBLIC = { storage, storagePublicEndpoint: 'https://s3.example.org:9000/' };

test('files are loaded from the object store only where downloads are redirected there', () => {
  expect(directOrigins({ storage, storagePublicEndpoint: undefined })).toEqual([]);
  expect(directOrigins({ ...PUBLIC, storage: undefined })).toEqual([]);
  expect(directOrigins(PUBLIC)).toEqual(['https://s3.example.org:9000']);
});

test('the bucket is in the host name if the address has it there', () => {
  const origins = ['https://s3.example.org:9000', 'https://media.s3.example.org:9000'];
  expect(directOrigins({ storage, storagePublicEndpoint: 'https://{bucket}.s3.example.org:9000' })).toEqual(origins);
});
