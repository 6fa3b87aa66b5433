import { call } from '../lib/api.ts';
import { body, type Conversion } from './conversions.ts';

interface Accepted {
  readonly jobId: string;
  readonly status: string;
  readonly message: string;
}

/** Submits one conversion at its door; throws unless the answer is the 202 of the contract. */
export async function submit(url: string, token: string, conversion: Conversion): Promise<Accepted> {
  const reply = await call<Accepted>(`${url}${conversion.door}`, { token, body: body(conversion) });
  const { status, body: accepted } = reply;
  if (status === 202 && accepted.status === 'PENDING' && accepted.jobId && accepted.message) return accepted;
  throw new Error(`POST ${conversion.door} (${conversion.title}) → ${status}\n${JSON.stringify(accepted, null, 2)}`);
}
