import type { SeededChoices } from '../faults/soak/seeded-choices.ts';

/** Changed bytes, and a description of the change for the report of an error. */
export interface Change {
  readonly bytes: Buffer;
  readonly description: string;
}

/** Numbers at which sizes, counts and lengths overflow or reach a limit. */
export const BOUNDARY_NUMBERS = [
  0, 1, 2, 7, 8, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff,
] as const;

export const below = (chance: SeededChoices, limit: number): number =>
  Math.floor(chance.between(0, Math.max(1, limit)));

export const oneOf = <T>(chance: SeededChoices, all: readonly T[]): T => {
  const found = all[below(chance, all.length)];
  if (found === undefined) throw new Error('There is nothing to choose from.');
  return found;
};

const noise = (chance: SeededChoices, length: number): Buffer => {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; at++) bytes[at] = below(chance, 256);
  return bytes;
};

const join = (...parts: readonly Buffer[]): Buffer => Buffer.concat(parts);

/** A part of `bytes`: mostly short, sometimes up to a half. */
function range(chance: SeededChoices, bytes: Buffer): { readonly from: number; readonly to: number } {
  const longest = chance.happens(0.7) ? Math.min(4096, bytes.length) : bytes.length / 2;
  const from = below(chance, bytes.length);
  return { from, to: Math.min(bytes.length, from + 1 + below(chance, longest)) };
}

type Mutation = (chance: SeededChoices, bytes: Buffer, other: Buffer) => Change;

/** Mutations for any format. `other` is another file to mix in. */
const MUTATIONS = {
  truncate(chance, bytes) {
    const length = chance.happens(0.3) ? below(chance, 64) : below(chance, bytes.length);
    return { bytes: bytes.subarray(0, length), description: `cut after ${length} bytes` };
  },
  behead(chance, bytes) {
    const removed = chance.happens(0.5) ? below(chance, 64) : below(chance, bytes.length);
    return { bytes: bytes.subarray(removed), description: `without its first ${removed} bytes` };
  },
  flip(chance, bytes) {
    const changed = Buffer.from(bytes);
    const count = 1 + below(chance, chance.happens(0.5) ? 4 : 300);
    // Half of the changes are near the start, where the headers are.
    const reach = chance.happens(0.5) ? Math.min(1024, bytes.length) : bytes.length;
    for (let done = 0; done < count && reach > 0; done++) {
      const at = below(chance, reach);
      changed[at] = (changed[at] ?? 0) ^ (1 << below(chance, 8));
    }
    return { bytes: changed, description: `${count} bits flipped in the first ${reach} bytes` };
  },
  overwrite(chance, bytes) {
    const { from, to } = range(chance, bytes);
    const kind = chance.pick({ zeros: 1, ones: 1, noise: 2 });
    const changed = Buffer.from(bytes);
    if (kind === 'noise') noise(chance, to - from).copy(changed, from);
    else changed.fill(kind === 'zeros' ? 0 : 0xff, from, to);
    return { bytes: changed, description: `${kind} from ${from} to ${to}` };
  },
  number(chance, bytes) {
    const changed = Buffer.from(bytes);
    const at = below(chance, Math.min(600, bytes.length - 4));
    const value = oneOf(chance, BOUNDARY_NUMBERS);
    const little = chance.happens(0.5);
    if (bytes.length >= 4) changed[little ? 'writeUInt32LE' : 'writeUInt32BE'](value, at);
    return { bytes: changed, description: `the number ${value} at ${at}${little ? ', little endian' : ''}` };
  },
  duplicate(chance, bytes) {
    const { from, to } = range(chance, bytes);
    const times = 1 + below(chance, 5);
    const part = bytes.subarray(from, to);
    const more = Buffer.concat(Array.from({ length: times }, () => part));
    const description = `bytes ${from} to ${to} ${times} times more`;
    return { bytes: join(bytes.subarray(0, to), more, bytes.subarray(to)), description };
  },
  remove(chance, bytes) {
    const { from, to } = range(chance, bytes);
    return { bytes: join(bytes.subarray(0, from), bytes.subarray(to)), description: `without bytes ${from} to ${to}` };
  },
  swap(chance, bytes) {
    const { from, to } = range(chance, bytes);
    const part = bytes.subarray(from, to);
    const description = `bytes ${from} to ${to} moved to the front`;
    return { bytes: join(part, bytes.subarray(0, from), bytes.subarray(to)), description };
  },
  insert(chance, bytes) {
    const at = below(chance, bytes.length);
    const length = 1 + below(chance, 2000);
    const changed = join(bytes.subarray(0, at), noise(chance, length), bytes.subarray(at));
    return { bytes: changed, description: `${length} random bytes inserted at ${at}` };
  },
  splice(chance, bytes, other) {
    const [here, there] = [below(chance, bytes.length), below(chance, other.length)];
    const description = `the first ${here} bytes, then the other file from ${there}`;
    return { bytes: join(bytes.subarray(0, here), other.subarray(there)), description };
  },
  append(_chance, bytes, other) {
    return { bytes: join(bytes, other), description: 'the other file appended' };
  },
} as const satisfies Record<string, Mutation>;

const WEIGHTS = {
  truncate: 4,
  behead: 2,
  flip: 6,
  overwrite: 4,
  number: 4,
  duplicate: 2,
  remove: 2,
  swap: 1,
  insert: 2,
  splice: 3,
  append: 1,
} as const satisfies Record<keyof typeof MUTATIONS, number>;

/** Applies one random mutation. The same choices give the same change. */
export function damage(chance: SeededChoices, bytes: Buffer, other: Buffer): Change {
  const name = chance.pick(WEIGHTS);
  const { bytes: changed, description } = MUTATIONS[name](chance, bytes, other);
  return { bytes: changed, description: `${name}: ${description}` };
}
