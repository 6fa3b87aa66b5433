import { CODE, type Instruction } from '../../packages/ffmpeg/src/sandbox/seccomp/bpf-program.ts';

/** A system call as the kernel shows it to a filter (`struct seccomp_data`). */
export interface SystemCall {
  readonly architecture: number;
  readonly number: number;
  readonly args: readonly number[];
}

/**
 * Runs a filter of system calls on one call, as the kernel does, and returns its answer. Throws where the kernel would
 * reject the filter: at an unknown instruction, or at a jump out of it.
 */
export function runFilter(instructions: readonly Instruction[], { architecture, number, args }: SystemCall): number {
  const data = new DataView(new ArrayBuffer(64));
  data.setUint32(0, number, true);
  data.setUint32(4, architecture, true);
  for (const [index, value] of args.entries())
    data.setBigUint64(16 + 8 * index, BigInt.asUintN(64, BigInt(value)), true);
  let accumulator = 0;
  for (let at = 0; ; ) {
    const instruction = instructions[at];
    if (instruction === undefined) throw new Error(`jumps to ${at}, out of the filter`);
    const { code, ifTrue, ifFalse, value } = instruction;
    if (ifTrue > 255 || ifFalse > 255) throw new Error('a jump is longer than a byte holds');
    at += 1;
    if (code === CODE.answer) return value >>> 0;
    if (code === CODE.load) accumulator = data.getUint32(value, true);
    else if (code === CODE.ifEqual) at += accumulator === value >>> 0 ? ifTrue : ifFalse;
    else if (code === CODE.ifGreater) at += accumulator > value >>> 0 ? ifTrue : ifFalse;
    else if (code === CODE.ifAtLeast) at += accumulator >= value >>> 0 ? ifTrue : ifFalse;
    else if (code === CODE.ifAnyBit) at += (accumulator & value) !== 0 ? ifTrue : ifFalse;
    else throw new Error(`unknown instruction ${code}`);
  }
}
