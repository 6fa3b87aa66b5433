import { expect, test } from 'vitest';
import { auditCsv } from './audit-csv.ts';

test('records are rows of a table, whose texts are neither split nor run as formulas', () => {
  const record = {
    auditId: '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e12',
    at: '2026-01-31T10:00:00.000Z',
    action: 'file.delete',
    outcome: 'done',
    client: 'shop',
  } as const;
  expect(
    auditCsv([
      { ...record, target: '=1+1.mp4' },
      { ...record, target: 'a, "b".mp4', details: { bytes: 1 } },
    ]),
  ).toBe(
    [
      'at,action,outcome,client,target,via,address,code,details',
      "2026-01-31T10:00:00.000Z,file.delete,done,shop,'=1+1.mp4,,,,",
      '2026-01-31T10:00:00.000Z,file.delete,done,shop,"a, ""b"".mp4",,,,"{""bytes"":1}"',
      '',
    ].join('\r\n'),
  );
});
