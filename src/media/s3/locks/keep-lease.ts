import type { Lease, Leases } from '../../../files/ports.ts';

/** Renews a lease until it is disposed of. A renewal that fails is repeated before the lease ends. */
export function keepLease(leases: Leases, lease: Lease, seconds: number): Disposable {
  const timer = setInterval(() => void leases.take(lease, seconds).catch(() => undefined), (seconds * 1000) / 3);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
