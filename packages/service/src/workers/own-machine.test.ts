import { expect, test } from 'vitest';
import { ownMachine } from './own-machine.ts';

const BOOT_ID = '0ba1e2c5-7f0e-4a53-9c21-8d7b6a5f4e3d';

const files = (bootId: string, cpus?: string) => (path: string) =>
  path === '/proc/sys/kernel/random/boot_id'
    ? bootId && `${bootId}\n`
    : `Name:\tnode\n${cpus === undefined ? '' : `Cpus_allowed:\tff\nCpus_allowed_list:\t${cpus}\n`}Mems_allowed_list:\t0\n`;

test('containers of one machine have the same id, and those of another machine another', () => {
  const [here, beside, elsewhere] = [
    ownMachine(files(BOOT_ID, '0-7')),
    ownMachine(files(BOOT_ID, '0-1,4')),
    ownMachine(files('9d3c2b1a-0000-4000-8000-123456789abc', '0-7')),
  ];
  expect([here?.cpus, beside?.cpus]).toEqual(['0-7', '0-1,4']);
  expect(beside?.id).toBe(here?.id);
  expect(elsewhere?.id).not.toBe(here?.id);
});

test('the id does not contain the boot id of the machine', () => {
  expect(ownMachine(files(BOOT_ID, '0-7'))?.id).toMatch(/^[0-9a-f]{16}$/);
  for (const part of BOOT_ID.split('-')) expect(ownMachine(files(BOOT_ID, '0-7'))?.id).not.toContain(part);
});

test('a system that does not say its boot id or its processors has no machine', () => {
  expect(ownMachine(files('', '0-7'))).toBeUndefined();
  expect(ownMachine(files(BOOT_ID))).toBeUndefined();
  expect(ownMachine(() => '')).toBeUndefined();
});
