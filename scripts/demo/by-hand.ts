import { join } from 'node:path';
import { shellWord } from '../../packages/contract/src/domain/shell-text.ts';
import { adminFile } from '../lib/api.ts';
import type { Tools } from '../setup/tools.ts';
import { body, DEMO_CONVERSIONS, type DemoConversion } from './conversions.ts';
import { bold } from './styled-text.ts';

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

/** The folders of the service in the folder of the demo. */
export const foldersIn = (folder: string) => ({ dataDir: join(folder, 'data'), mediaRoot: join(folder, 'media') });

/** Settings for an ffmpeg that the service would not find by itself. */
export function toolSettings(tools: Tools): Record<string, string> {
  const found = tools.from === 'path' || tools.from === 'package manager';
  return found ? {} : { FFMPEG_PATH: tools.ffmpegPath, FFPROBE_PATH: tools.ffprobePath };
}

/** How to repeat a conversion by hand, after the service of the demo has stopped. */
export function byHand(folder: string, tools: Tools): string {
  const { dataDir, mediaRoot } = foldersIn(folder);
  const quick = DEMO_CONVERSIONS.find(({ sample }) => sample === 'flac');
  if (quick === undefined) throw new Error('The demo converts no FLAC.');
  return [
    `\n${bold('The same by hand.')} Start a service on these files:\n`,
    serveCommand({ TELECINE_DATA_DIR: dataDir, TELECINE_MEDIA_ROOT: mediaRoot, ...toolSettings(tools) }),
    '\nThen in another terminal (repeat the last line until the status is COMPLETED):\n',
    curlCommands(quick, dataDir),
  ].join('\n');
}
