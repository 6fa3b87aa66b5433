import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AUDIT_ACTIONS } from '../../packages/contract/src/domain/audit.ts';
import { ENDPOINTS, type OperationId } from '../../packages/contract/src/wire/endpoints.ts';
import type { Operation } from '../../packages/contract/src/wire/operations/operation.ts';
import { OPERATIONS } from '../../packages/contract/src/wire/operations/operations.ts';

/** Operations with another method than GET that change nothing. */
const HARMLESS: readonly OperationId[] = ['probeFile', 'getUploadSupport', 'dryRunRecipe', 'readCommand'];

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

test('the page about the audit log names each action, and no other', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/operate/audit-log.md'), 'utf8');
  const row = page.split('\n').find((line) => line.startsWith('| `action` |')) ?? '';
  const named = [...row.matchAll(/`([a-z]+\.[a-z]+)`/g)].map(([, action]) => action);
  expect(named.toSorted()).toEqual([...AUDIT_ACTIONS].toSorted());
});
