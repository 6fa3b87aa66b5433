import type { FaultName } from '../cluster/faults.ts';

/** The faults of the rounds, in turn. The first ones find most. */
const FAULTS_ON = {
  disk: ['service-kill', 'network-cut', 'postgres-kill', 'worker-kill', 'wrong-clock', 'connections-end'],
  s3: ['s3-resets', 'service-kill', 's3-cut', 's3-throttle', 'network-cut', 'worker-kill'],
} as const satisfies Readonly<Record<string, readonly FaultName[]>>;

export type SoakStorage = keyof typeof FAULTS_ON;

export const SOAK_STORAGES = Object.keys(FAULTS_ON) as readonly SoakStorage[];

export const roundsOn = (storage: SoakStorage, count: number): readonly FaultName[] =>
  Array.from({ length: count }, (_, index) => FAULTS_ON[storage][index % FAULTS_ON[storage].length] ?? 'service-kill');
