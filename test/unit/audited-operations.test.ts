import { expect, test } from 'vitest';
import { ENDPOINTS, type OperationId } from '../../packages/contract/src/wire/endpoints.ts';
import type { Operation } from '../../packages/contract/src/wire/operations/operation.ts';
import { OPERATIONS } from '../../packages/contract/src/wire/operations/operations.ts';

/** Operations with another method than GET that change nothing. */
const HARMLESS: readonly OperationId[] = ['probeFile', 'getUploadSupport', 'scanWatch', 'notifyWatch'];

test('every operation that changes something is in the audit log', () => {
  const missing = (Object.keys(OPERATIONS) as OperationId[]).filter(
    (id) =>
      ENDPOINTS[id].method !== 'GET' && !HARMLESS.includes(id) && (OPERATIONS[id] as Operation).audit === undefined,
  );
  expect(
    missing,
    'declare `audit` in packages/contract/src/wire/operations (see packages/service/src/audit/README.md)',
  ).toEqual([]);
});
