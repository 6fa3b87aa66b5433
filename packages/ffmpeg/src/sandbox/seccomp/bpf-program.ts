import { type Answer, type ArgumentTest, DENIED_CALLS, type DeniedCalls } from './denied-calls.ts';
import { type Architecture, AUDIT_ARCHITECTURE, HIGHEST_REVIEWED_CALL, SYSCALL_NUMBERS } from './syscall-numbers.ts';

/** An instruction of classic BPF (`struct sock_filter`). Jumps count from the instruction after it. */
export interface Instruction {
  readonly code: number;
  readonly ifTrue: number;
  readonly ifFalse: number;
  readonly value: number;
}

/** Codes of classic BPF (linux/bpf_common.h). */
export const CODE = { load: 0x20, ifEqual: 0x15, ifGreater: 0x25, ifAtLeast: 0x35, ifAnyBit: 0x45, answer: 0x06 };

/** The offsets in `struct seccomp_data`: of the call number, the architecture, and the low half of argument 0. */
const OFFSET = { call: 0, architecture: 4, firstArgument: 16 };
const BYTES_PER_ARGUMENT = 8;

/** The answers that a filter can give (linux/seccomp.h). For an answer with an errno, the low half is the errno. */
export const ALLOW = 0x7fff_0000;
export const KILL_PROCESS = 0x8000_0000;
const errno = (number: number): number => 0x0005_0000 | number;
export const ANSWERS: Readonly<Record<Answer, number>> = {
  kill: KILL_PROCESS,
  EPERM: errno(1),
  EACCES: errno(13),
  ENOSYS: errno(38),
};

/** The first call number of x32, a second set of call numbers on x64. */
const FIRST_X32_CALL = 0x4000_0000;

const load = (offset: number): Instruction => ({ code: CODE.load, ifTrue: 0, ifFalse: 0, value: offset });
const answer = (value: number): Instruction => ({ code: CODE.answer, ifTrue: 0, ifFalse: 0, value });
/** Jumps over `ifTrue` instructions if the test is true, else over `ifFalse` instructions. */
const jump = (code: number, value: number, ifTrue: number, ifFalse: number): Instruction => ({
  code,
  ifTrue,
  ifFalse,
  value,
});

/**
 * Returns the system call filter for `architecture`. A call of another architecture ends the process.
 *
 * @param inNamespaces True if the process has its own process ids and its own IPC objects.
 */
export const filterInstructions = (architecture: Architecture, inNamespaces: boolean): readonly Instruction[] => [
  load(OFFSET.architecture),
  jump(CODE.ifEqual, AUDIT_ARCHITECTURE[architecture], 1, 0),
  answer(KILL_PROCESS),
  load(OFFSET.call),
  ...(architecture === 'x64' ? [jump(CODE.ifAtLeast, FIRST_X32_CALL, 0, 1), answer(KILL_PROCESS)] : []),
  jump(CODE.ifGreater, HIGHEST_REVIEWED_CALL, 0, 1),
  answer(ANSWERS.ENOSYS),
  ...DENIED_CALLS.filter((denied) => !inNamespaces || denied.onlyWithoutNamespaces !== true).flatMap((denied) =>
    deny(denied, architecture),
  ),
  answer(ALLOW),
];

function deny({ calls, when, answer: name }: DeniedCalls, architecture: Architecture): readonly Instruction[] {
  const numbers = calls.flatMap((call) => SYSCALL_NUMBERS[call]?.[architecture] ?? []);
  const value = ANSWERS[name];
  if (when === undefined) return numbers.flatMap((number) => [jump(CODE.ifEqual, number, 0, 1), answer(value)]);
  const tests = when.flatMap((each, index) => {
    // A failed test jumps over the following tests, the answer and the last load.
    const rest = INSTRUCTIONS_PER_TEST * (when.length - 1 - index) + 1;
    return [load(OFFSET.firstArgument + BYTES_PER_ARGUMENT * each.argument), test(each, rest)];
  });
  return numbers.flatMap((number) => [
    jump(CODE.ifEqual, number, 0, tests.length + 2),
    ...tests,
    answer(value),
    load(OFFSET.call),
  ]);
}

const INSTRUCTIONS_PER_TEST = 2;

/** Continues with the next instruction if the test is true, else jumps over `rest` instructions. */
function test({ test: kind, value }: ArgumentTest, rest: number): Instruction {
  const code = kind === 'has a bit of' || kind === 'has no bit of' ? CODE.ifAnyBit : CODE.ifEqual;
  return kind === 'equals' || kind === 'has a bit of' ? jump(code, value, 0, rest) : jump(code, value, rest, 0);
}

/** Returns the filter in the format of bwrap (`--seccomp`) and setpriv (`--seccomp-filter`). undefined on other architectures. */
export function seccompFilter(architecture: string, inNamespaces: boolean): Buffer | undefined {
  if (architecture !== 'x64' && architecture !== 'arm64') return undefined;
  return Buffer.concat(filterInstructions(architecture, inNamespaces).map(encode));
}

/** Both architectures store the lowest byte of a number first. */
function encode({ code, ifTrue, ifFalse, value }: Instruction): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(ifTrue, 2);
  bytes.writeUInt8(ifFalse, 3);
  bytes.writeUInt32LE(value >>> 0, 4);
  return bytes;
}
