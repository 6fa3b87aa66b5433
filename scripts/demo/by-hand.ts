import { shellWord } from '../../packages/contract/src/domain/shell-text.ts';
import { adminFile } from '../lib/api.ts';
import { body, type DemoConversion } from './conversions.ts';

const BASE = 'http://127.0.0.1:8080';

/** A command that prints one field of the JSON on standard input. Uses Node, because jq may not be installed. */
const field = (name: string): string => `node -p 'JSON.parse(fs.readFileSync(0)).${name}'`;

/** The environment variables that start the service on the folders of the demo. */
export type ServeSettings = Readonly<Record<string, string>> & { readonly TELECINE_DATA_DIR: string };

/** The command that starts the service with these settings. */
export function serveCommand(settings: ServeSettings): string {
  const words = Object.entries(settings).map(([name, value]) => `${name}=${shellWord(value)}`);
  return [...words, 'npm start'].join(' ');
}

/** The shell commands that run one conversion of the demo by hand: obtain a token, submit, get the status. */
export function curlCommands(conversion: DemoConversion, dataDir: string): string {
  const request = JSON.stringify(body(conversion, 'by-hand'), null, 2);
  const json = `-H 'content-type: application/json'`;
  const bearer = `-H "authorization: Bearer $TOKEN"`;
  return [
    `TOKEN=$(curl -sS ${BASE}/api/auth/token ${json} -d @${shellWord(adminFile(dataDir))} | ${field('accessToken')})`,
    `JOB=$(curl -sS ${BASE}${conversion.endpoint} ${bearer} ${json} -d ${shellWord(request)} | ${field('jobId')})`,
    `curl -sS ${BASE}/api/conversion/$JOB ${bearer}`,
  ].join('\n');
}
