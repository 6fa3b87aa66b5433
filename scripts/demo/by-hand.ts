import { adminFile } from '../lib/api.ts';
import { body, type Conversion } from './conversions.ts';

const BASE = 'http://127.0.0.1:8080';

/** A word that any POSIX shell reads as this very text. */
const quoted = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/** Prints one field of the JSON on standard input; Node is there, jq may not be. */
const field = (name: string): string => `node -p 'JSON.parse(fs.readFileSync(0)).${name}'`;

export interface ByHand {
  /** Starts the service again on the demo's folders. */
  readonly serve: string;
  /** Token, submit, status; to be pasted into one shell. */
  readonly curl: string;
}

/** The commands that do one of the demo's conversions by hand. */
export function byHand(conversion: Conversion, dataDir: string, mediaRoot: string): ByHand {
  const request = JSON.stringify(body(conversion, 'by-hand'), null, 2);
  const json = `-H 'content-type: application/json'`;
  const bearer = `-H "authorization: Bearer $TOKEN"`;
  return {
    serve: `TELECINE_DATA_DIR=${quoted(dataDir)} TELECINE_MEDIA_ROOT=${quoted(mediaRoot)} npm start`,
    curl: [
      `TOKEN=$(curl -sS ${BASE}/api/auth/token ${json} -d @${quoted(adminFile(dataDir))} | ${field('accessToken')})`,
      `JOB=$(curl -sS ${BASE}${conversion.door} ${bearer} ${json} -d ${quoted(request)} | ${field('jobId')})`,
      `curl -sS ${BASE}/api/conversion/$JOB ${bearer}`,
    ].join('\n'),
  };
}
