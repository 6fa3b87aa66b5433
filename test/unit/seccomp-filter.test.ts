import { describe, expect, test } from 'vitest';
import {
  ALLOW,
  ANSWERS,
  filterInstructions,
  KILL_PROCESS,
  seccompFilter,
} from '../../packages/ffmpeg/src/sandbox/seccomp/bpf-program.ts';
import { DENIED_CALLS } from '../../packages/ffmpeg/src/sandbox/seccomp/denied-calls.ts';
import { SYSCALL_NUMBERS } from '../../packages/ffmpeg/src/sandbox/seccomp/syscall-numbers.ts';
import { runFilter } from '../support/bpf-interpreter.ts';

const { kill, EPERM, EACCES, ENOSYS } = ANSWERS;
const X64 = 0xc000_003e;
const ARM64 = 0xc000_00b7;
const I386 = 0x4000_0003;
const ARM = 0x4000_0028;

/**
 * A call, its numbers on x64 and arm64 as the kernel's headers have them, its arguments, and the answers in namespaces
 * and without. -1: the architecture lacks the call.
 */
type Row = readonly [
  name: string,
  x64: number,
  arm64: number,
  args: readonly number[],
  inside: number,
  outside?: number,
];

const AF_UNIX = 1;
const THREAD = 0x3d0f00;
const ROWS: readonly Row[] = [
  ['read', 0, 63, [0, 0, 0], ALLOW],
  ['write', 1, 64, [1, 0, 0], ALLOW],
  ['openat', 257, 56, [], ALLOW],
  ['mmap', 9, 222, [], ALLOW],
  ['mprotect', 10, 226, [], ALLOW],
  ['futex', 202, 98, [], ALLOW],
  ['execve', 59, 221, [], ALLOW],
  ['exit_group', 231, 94, [0], ALLOW],
  ['rt_sigaction', 13, 134, [], ALLOW],
  ['getrandom', 318, 278, [], ALLOW],
  ['rename', 82, -1, [], ALLOW],
  ['renameat2', 316, 276, [], ALLOW],
  ['unlinkat', 263, 35, [], ALLOW],
  ['mkdirat', 258, 34, [], ALLOW],
  ['ftruncate', 77, 46, [], ALLOW],
  ['get_mempolicy of libx265', 239, 236, [], ALLOW],
  ['set_mempolicy of libx265', 238, 237, [], ALLOW],
  ['sched_getaffinity', 204, 123, [0, 8, 0], ALLOW],
  ['sched_setaffinity of itself', 203, 122, [0, 8, 0], ALLOW],
  ['sched_setaffinity of another', 203, 122, [7, 8, 0], ALLOW, EPERM],
  ['the newest reviewed call', 450, 450, [], ALLOW],
  ['a newer one (fchmodat2)', 452, 452, [], ENOSYS],
  ['one of a future kernel', 900, 900, [], ENOSYS],
  ['socket of IPv4', 41, 198, [2, 1, 0], EACCES],
  ['socket of Unix', 41, 198, [AF_UNIX, 1, 0], EACCES],
  ['socketpair', 53, 199, [AF_UNIX, 2, 0], EACCES],
  ['connect', 42, 203, [1], EACCES],
  ['sendto', 44, 206, [1], EACCES],
  ['sendmsg', 46, 211, [1], EACCES],
  ['recvmsg', 47, 212, [1], EACCES],
  ['ptrace', 101, 117, [16, 1], kill],
  ['process_vm_readv', 310, 270, [1], kill],
  ['process_vm_writev', 311, 271, [1], kill],
  ['kcmp', 312, 272, [], EPERM],
  ['mount', 165, 40, [], kill],
  ['umount2', 166, 39, [], kill],
  ['fsopen', 430, 430, [], kill],
  ['move_mount', 429, 429, [], kill],
  ['unshare', 272, 97, [0x1000_0000], kill],
  ['setns', 308, 268, [], kill],
  ['clone3', 435, 435, [], ENOSYS],
  ['clone of a thread', 56, 220, [THREAD], ALLOW],
  ['clone of a thread with open files of its own', 56, 220, [THREAD - 0x400], EPERM],
  ['clone of a process', 56, 220, [0x0120_0011], ALLOW, EPERM],
  ['clone of a user namespace', 56, 220, [0x1000_0011], kill],
  ['clone of a thread in a network', 56, 220, [0x4000_0000 | THREAD], kill],
  ['fork', 57, -1, [], ALLOW, EPERM],
  ['vfork', 58, -1, [], ALLOW, EPERM],
  ['bpf', 321, 280, [], kill],
  ['perf_event_open', 298, 241, [], ENOSYS],
  ['keyctl', 250, 219, [], ENOSYS],
  ['add_key', 248, 217, [], ENOSYS],
  ['request_key', 249, 218, [], ENOSYS],
  ['io_uring_setup', 425, 425, [], ENOSYS],
  ['io_uring_enter', 426, 426, [], ENOSYS],
  ['userfaultfd', 323, 282, [], ENOSYS],
  ['io_setup', 206, 0, [1], ENOSYS],
  ['io_submit', 209, 2, [], ENOSYS],
  ['sync', 162, 81, [], EPERM],
  ['fsync', 74, 82, [1], ALLOW],
  ['inotify_init', 253, -1, [], ENOSYS],
  ['inotify_init1', 294, 26, [0], ENOSYS],
  ['inotify_add_watch', 254, 27, [3], ENOSYS],
  ['fanotify_init', 300, 262, [], ENOSYS],
  ['fanotify_mark', 301, 263, [], ENOSYS],
  ['getxattr', 191, 8, [], EPERM],
  ['lgetxattr', 192, 9, [], EPERM],
  ['listxattr', 194, 11, [], EPERM],
  ['flistxattr', 196, 13, [], EPERM],
  ['stat of fontconfig', 4, -1, [], ALLOW],
  ['newfstatat', 262, 79, [], ALLOW],
  ['readlinkat', 267, 78, [], ALLOW],
  ['memfd_create', 319, 279, [], ENOSYS],
  ['memfd_secret', 447, 447, [], ENOSYS],
  ['shmget', 29, 194, [], EPERM],
  ['semget', 64, 190, [], EPERM],
  ['msgget', 68, 186, [], EPERM],
  ['mq_open', 240, 180, [], EPERM],
  ['modify_ldt', 154, -1, [], kill],
  ['kexec_load', 246, 104, [], kill],
  ['finit_module', 313, 273, [], kill],
  ['chmod', 90, -1, [], EPERM],
  ['fchmod', 91, 52, [], EPERM],
  ['fchmodat', 268, 53, [], EPERM],
  ['fchownat', 260, 54, [], EPERM],
  ['utimensat', 280, 88, [], EPERM],
  ['setxattr', 188, 5, [], EPERM],
  ['fremovexattr', 199, 16, [], EPERM],
  ['kill with signal 0', 62, 129, [7, 0], ALLOW],
  ['kill with SIGTERM', 62, 129, [7, 15], ALLOW, EPERM],
  ['tgkill', 234, 131, [7, 7, 6], ALLOW, EPERM],
  ['rt_sigqueueinfo', 129, 138, [7, 9], ALLOW, EPERM],
  ['pidfd_open', 434, 434, [7], EPERM],
  ['pidfd_getfd', 438, 438, [], EPERM],
  ['pidfd_send_signal', 424, 424, [], EPERM],
  ['prlimit64 of itself', 302, 261, [0, 7], ALLOW],
  ['prlimit64 of another', 302, 261, [7, 7], EPERM],
  ['fcntl F_SETFL', 72, 25, [1, 4], ALLOW],
  ['fcntl F_SETOWN', 72, 25, [1, 8], EPERM],
  ['fcntl F_SETSIG', 72, 25, [1, 10], EPERM],
  ['fcntl F_SETLEASE', 72, 25, [1, 1024], EPERM],
  ['fcntl F_NOTIFY', 72, 25, [1, 1026], EPERM],
  ['fcntl F_DUPFD_CLOEXEC', 72, 25, [1, 1030], ALLOW],
  ['ioctl TIOCGWINSZ', 16, 29, [1, 0x5413], ALLOW],
  ['ioctl TIOCSTI', 16, 29, [1, 0x5412], EPERM],
  ['ioctl FIOSETOWN', 16, 29, [1, 0x8901], EPERM],
  ['prctl PR_SET_NAME', 157, 167, [15], ALLOW],
  ['prctl PR_SET_PDEATHSIG', 157, 167, [1, 0], ALLOW, EPERM],
  ['setpriority of itself', 141, 140, [0, 0, 5], ALLOW],
  ['setpriority of another', 141, 140, [0, 7, 5], EPERM],
  ['setpriority of the user', 141, 140, [2, 0, 5], EPERM],
];

describe.each([
  ['x64', X64, 1],
  ['arm64', ARM64, 2],
] as const)('the filter of system calls on %s', (architecture, audit, column) => {
  const exists = (row: Row): boolean => row[column] >= 0;
  const answerTo = (inNamespaces: boolean, number: number, args: readonly number[] = [], from: number = audit) =>
    runFilter(filterInstructions(architecture, inNamespaces), { architecture: from, number, args });

  test.each(ROWS.filter(exists).map((row): [string, Row] => [row[0], row]))('%s', (_name, row) => {
    const [, x64, arm64, args, inside, outside = inside] = row;
    const number = architecture === 'x64' ? x64 : arm64;
    expect(answerTo(true, number, args)).toBe(inside);
    expect(answerTo(false, number, args)).toBe(outside);
  });

  test('the high half of an argument, which the kernel ignores, cannot hide the low half', () => {
    const number = architecture === 'x64' ? 56 : 220;
    expect(answerTo(true, number, [2 ** 40 + 0x1000_0000])).toBe(kill);
    expect(answerTo(false, number, [2 ** 16 * 2 ** 32])).toBe(EPERM);
  });

  test('calls of another architecture end the process, whatever they call', () => {
    for (const from of [X64, ARM64, I386, ARM].filter((one) => one !== audit))
      for (const number of [0, 1, 41, 59, 221]) expect(answerTo(true, number, [], from)).toBe(KILL_PROCESS);
  });

  test('each denied call is denied in at least one case', () => {
    const all = DENIED_CALLS.flatMap(({ calls }) =>
      calls.flatMap((call) => SYSCALL_NUMBERS[call]?.[architecture] ?? []),
    );
    const values = DENIED_CALLS.flatMap(({ when = [] }) => when.map(({ value }) => value));
    const cases = [0, 1, 2, 7, ...values].flatMap((a) =>
      [0, 1, 7, ...values].flatMap((b) => [
        [a, b, 0],
        [a, b, 9],
      ]),
    );
    for (const number of all)
      expect(
        cases.some((args) => answerTo(false, number, args) !== ALLOW),
        `${number}`,
      ).toBe(true);
  });

  test('is short enough for the kernel and for setpriv: at most 4,096 instructions of 8 bytes', () => {
    const bytes = seccompFilter(architecture, false) ?? Buffer.alloc(0);
    expect(bytes.length % 8).toBe(0);
    expect(bytes.length / 8).toBe(filterInstructions(architecture, false).length);
    expect(bytes.length / 8).toBeLessThanOrEqual(4096);
  });
});

test('each call of the list has a number on x64, so that no name is misspelt', () => {
  const names = DENIED_CALLS.flatMap(({ calls }) => calls);
  expect(names.filter((name) => SYSCALL_NUMBERS[name]?.x64 === undefined)).toEqual([]);
  expect(Object.keys(SYSCALL_NUMBERS).filter((name) => !names.includes(name))).toEqual([]);
});

test('the second set of call numbers on x64 (x32) ends the process', () => {
  const filter = filterInstructions('x64', true);
  for (const number of [0x4000_0000, 0x4000_0001, 0x4000_0029, 0xffff_ffff])
    expect(runFilter(filter, { architecture: X64, number, args: [] })).toBe(KILL_PROCESS);
});

test('an architecture that the filter does not know has no filter', () => {
  expect(seccompFilter('riscv64', true)).toBeUndefined();
});
