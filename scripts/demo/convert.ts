import { createClient } from '../../src/client/client.ts';
import type { AcceptedView } from '../../src/wire/accepted.ts';
import type { JobView } from '../../src/wire/job.ts';
import { adminLogin, call } from '../lib/api.ts';
import { ok, type Say } from '../setup/say.ts';
import { openBoard } from './board.ts';
import { body, type Conversion } from './conversions.ts';

/** Far beyond what the demo takes on a slow machine; so that it ends if the service never does. */
const DEADLINE_MS = 10 * 60_000;

/** Has the service at `url` do all conversions and shows how they get on; the jobs as they ended, in order. */
export async function convert(
  url: string,
  dataDir: string,
  list: readonly Conversion[],
  say: Say,
  signal: AbortSignal,
): Promise<readonly JobView[]> {
  const { accessToken: token, expiresIn } = await adminLogin(url, dataDir);
  say(ok('token', `POST /api/auth/token: a bearer token for ${expiresIn / 60} minutes`));
  const from = performance.now();
  const accepted = await Promise.all(list.map((conversion) => submit(url, token, conversion)));
  const mcp = list.filter((conversion) => conversion.door === '/mcp').length;
  const doors = `${list.length - mcp} by POST /api/conversion, ${mcp} by POST /mcp`;
  say(
    ok(
      'submitted',
      `${doors}; each answered 202 with its job id, all within ${Math.ceil(performance.now() - from)} ms\n`,
    ),
  );
  const board = openBoard(list.map((conversion) => conversion.title));
  const ids = accepted.map(({ jobId }) => jobId);
  const client = createClient(url, { accessToken: token });
  const within = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]);
  return Promise.all(
    ids.map((id, i) => client.wait(id, { signal: within, onUpdate: (job) => board.show(i, job) })),
  ).finally(() => board.close());
}

/** Submits one conversion at its door; throws unless the answer is the 202 of the contract. */
async function submit(url: string, token: string, conversion: Conversion): Promise<AcceptedView> {
  const { status, body: accepted } = await call<AcceptedView>(`${url}${conversion.door}`, {
    token,
    body: body(conversion),
  });
  if (status === 202 && accepted.status === 'PENDING' && accepted.jobId && accepted.message) return accepted;
  throw new Error(`POST ${conversion.door} (${conversion.title}) → ${status}\n${JSON.stringify(accepted, null, 2)}`);
}
