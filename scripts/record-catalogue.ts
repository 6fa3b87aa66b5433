/**
 * Records what the installed ffmpeg answers about everything that a request may name, for the planner's tests:
 *   node scripts/record-catalogue.ts > test/fixtures/ffmpeg-catalogue.json
 */
import { askBasics, askMuxer, askOption } from '../src/ffmpeg/catalogue/ask.ts';
import { identify, locate } from '../src/ffmpeg/catalogue/build.ts';
import type { Catalogue, CliFacts } from '../src/ffmpeg/catalogue/catalogue.ts';
import { serialise } from '../src/ffmpeg/catalogue/catalogue-file.ts';
import { CLI_RULES } from '../src/ffmpeg/policy/cli-rules.ts';

/** Muxers that the tests write with options which only the muxer can place. */
const MUXERS = ['gif', 'hls', 'image2', 'matroska', 'mp4'];

const path = await locate('ffmpeg', undefined, process.env['PATH'] ?? '');
if (path === undefined) throw new Error('ffmpeg is not on PATH');
const build = await identify(path);
const basics = await askBasics(build);
const cli = new Map<string, CliFacts | null>(basics.cli);
for (const name of CLI_RULES.keys())
  if (cli.has(name) || name.startsWith('no')) cli.set(name, await askOption(build, name));
const muxerOptions = new Map<string, ReadonlySet<string>>();
for (const muxer of MUXERS) muxerOptions.set(muxer, await askMuxer(build, muxer));
const catalogue: Catalogue = { ...basics, build: { ...build, key: build.version }, cli, muxerOptions };
process.stdout.write(`${serialise(catalogue)}\n`);
