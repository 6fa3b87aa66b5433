import { mkdtemp, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { planProbe } from '../../packages/ffmpeg/src/probe/plan-probe.ts';
import { type LateProbe, type ProbeOutcome, runProbe } from '../../packages/ffmpeg/src/probe/probe.ts';
import { probeOutput } from '../../packages/ffmpeg/src/probe/probe-clip.ts';
import { findSandbox } from '../../packages/ffmpeg/src/sandbox/find-sandbox.ts';
import type { Sandbox } from '../../packages/ffmpeg/src/sandbox/sandbox.ts';
import { command } from '../../scripts/setup/command.ts';
import { MOVIE, processesWith } from '../fixtures/conversion.ts';
import { NO_SANDBOX, SANDBOXES } from '../fixtures/sandboxes.ts';
import { mediaRoot } from '../support/media-root.ts';
import { needs } from '../support/needs.ts';
import { tools } from '../support/tools.ts';
import { waitUntil } from '../support/wait.ts';

const NEVER = new AbortController().signal;

async function folder(): Promise<string> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'telecine-test-')));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

async function make(file: string, args: readonly string[]): Promise<string> {
  const { ok, text } = await command(tools().ffmpegPath, ['-v', 'error', '-nostdin', ...args, file]);
  if (!ok) throw new Error(text);
  return file;
}

interface ProbeOptions {
  readonly parameters?: Record<string, string>;
  readonly timeoutSeconds?: number;
  readonly signal?: AbortSignal;
  readonly late?: LateProbe;
  /** The program that replaces ffprobe, and its arguments. */
  readonly program?: readonly [file: string, ...argv: string[]];
}

const found = new Map<string, Promise<Sandbox>>();

/** Finding a sandbox runs ffmpeg in it, so the tests of a program share one. */
function sandboxFor(kind: Exclude<Sandbox['kind'], 'none'>, program: string): Promise<Sandbox> {
  const key = `${kind} ${program}`;
  const sandbox = found.get(key) ?? findSandbox(kind, tools().ffmpegPath, [], [program]);
  found.set(key, sandbox);
  return sandbox;
}

for (const { kind, tags, test } of SANDBOXES)
  describe(`ffprobe with ${kind === 'none' ? 'no sandbox' : kind}`, { tags }, () => {
    async function probe(hostPath: string, options: ProbeOptions = {}): Promise<ProbeOutcome> {
      const planned = planProbe(
        { input: hostPath.slice(1), ...(options.parameters && { parameters: options.parameters }) },
        mediaRoot('/'),
      );
      if (!planned.ok) throw new Error(planned.errors[0]?.message);
      const { dev, ino } = await stat(hostPath, { bigint: true });
      const ffprobePath = await realpath(options.program?.[0] ?? tools().ffprobePath);
      const sandbox = kind === 'none' ? NO_SANDBOX : await sandboxFor(kind, ffprobePath);
      return runProbe({
        plan: { ...planned.plan, argv: options.program?.slice(1) ?? planned.plan.argv },
        mount: { logical: planned.plan.logical, hostPath, identities: [`${dev}:${ino}`] },
        ffprobePath,
        sandbox,
        workRoot: tmpdir(),
        timeoutSeconds: options.timeoutSeconds ?? 20,
        late: options.late,
        signal: options.signal ?? NEVER,
      });
    }

    test('an ffprobe that cannot be started says nothing about the file', async () => {
      const gone = join(await folder(), 'ffprobe');
      await writeFile(gone, '#!/nonexistent/ffprobe\n', { mode: 0o755 });
      await expect(probe(MOVIE, { program: [gone] })).rejects.toThrow('could not be started');
    });

    test('reads the container and the streams of a movie', async () => {
      expect(await probe(MOVIE)).toMatchObject({
        ok: true,
        info: {
          format: {
            names: expect.arrayContaining(['mp4']),
            durationSeconds: expect.closeTo(30, 1),
            sizeBytes: 4_139_823,
            score: 100,
          },
          streams: [
            {
              ...{ index: 0, type: 'video', codec: 'h264', profile: 'High', level: 30, codecTag: 'avc1', width: 854 },
              ...{ height: 480, frameRate: 24, frameRateExact: '24/1', pixelFormat: 'yuv420p', frameCount: 720 },
              ...{ disposition: ['default'], isAttachedPicture: false },
            },
            { index: 1, type: 'audio', codec: 'aac', sampleRate: 48_000, channels: 6, channelLayout: '5.1' },
          ],
          chapters: [],
        },
      });
    });

    test('reads chapters, languages, titles, dispositions, subtitles and attachments', async () => {
      const dir = await folder();
      const [words, notes] = [join(dir, 'a.srt'), join(dir, 'notes.txt')];
      await writeFile(words, '1\n00:00:00,000 --> 00:00:01,000\nHallo\n');
      const meta = join(dir, 'a.meta');
      await writeFile(meta, ';FFMETADATA1\ntitle=Ein Film\n[CHAPTER]\nTIMEBASE=1/10\nSTART=0\nEND=15\ntitle=Anfang\n');
      await writeFile(notes, 'notes');
      const file = await make(join(dir, 'a.mkv'), [
        ...['-t', '2', '-i', MOVIE, '-i', words, '-f', 'ffmetadata', '-i', meta, '-map', '0', '-map', '1'],
        ...['-map_metadata', '2', '-map_chapters', '2', '-c:v', 'copy', '-c:a', 'copy', '-c:s', 'srt'],
        ...['-metadata:s:s:0', 'language=deu', '-metadata:s:s:0', 'title=Worte', '-disposition:s:0', 'forced'],
        ...['-attach', notes, '-metadata:s:t:0', 'mimetype=text/plain'],
      ]);
      const outcome = await probe(file);
      expect(outcome).toMatchObject({
        ok: true,
        info: {
          format: { names: ['matroska', 'webm'], tags: { title: 'Ein Film' } },
          streams: [
            { type: 'video' },
            { type: 'audio' },
            { type: 'subtitle', codec: 'subrip', language: 'deu', title: 'Worte', disposition: ['forced'] },
            { type: 'attachment', tags: { filename: 'notes.txt' } },
          ],
          chapters: [{ startSeconds: 0, endSeconds: 1.5, title: 'Anfang' }],
        },
      });
    });

    test('reads audio without a header once it is described', async () => {
      const file = await make(join(await folder(), 'a.pcm'), ['-i', MOVIE, '-t', '2', '-ac', '2', '-f', 's16le']);
      const fix = expect.stringContaining('"parameters":{"f":"s16le"');
      expect(await probe(file)).toMatchObject({ ok: false, failure: { fix } });
      expect(await probe(file, { parameters: { f: 's16le', ar: '48000', ac: '2' } })).toMatchObject({
        ok: true,
        info: {
          format: { durationSeconds: 2 },
          streams: [{ codec: 'pcm_s16le', channels: 2, channelLayout: 'stereo' }],
        },
      });
    });

    test('rejects non-media, damaged files and playlists by name', async () => {
      const dir = await folder();
      const write = async (name: string, text: string) => {
        await writeFile(join(dir, name), text);
        return join(dir, name);
      };
      const words = await probe(await write('a.mp4', 'these are words\n'.repeat(100)));
      expect(words).toMatchObject({ ok: false, failure: { code: 'INPUT_INVALID' } });
      expect(words.ok ? '' : words.failure.message).toContain(`${dir.slice(1)}/a.mp4`);
      const page = await write('b.mp4', '<!DOCTYPE html><html><body>403 Forbidden</body></html>');
      expect(await probe(page)).toMatchObject({
        ok: false,
        failure: {
          message: `The input "${page.slice(1)}" is not a media file: it is an HTML page.`,
          fix: expect.stringContaining('Download the file again'),
        },
      });
      const list = await write('a.m3u8', `#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n${MOVIE}\n#EXT-X-ENDLIST\n`);
      expect(await probe(list)).toMatchObject({
        ok: false,
        failure: { code: expect.stringMatching(/^(?:UNSUPPORTED|INPUT_INVALID)$/) },
      });
      const concat = await write('a.concat', `ffconcat version 1.0\nfile '${MOVIE}'\n`);
      expect(await probe(concat)).toMatchObject({ ok: false });
    });

    test('stops a probe that takes too long', async () => {
      const outcome = await probe(MOVIE, { program: ['/usr/bin/sleep', '98761'], timeoutSeconds: 1 });
      expect(outcome).toMatchObject({
        ok: false,
        failure: { code: 'TIMEOUT', message: expect.stringContaining('1 s') },
      });
      expect(processesWith('98761')).toEqual([]);
    });

    test('a probe that may be late says so when its time is over, and is stopped when it is late for too long', async () => {
      const onLate = vi.fn();
      const late = { seconds: 1, onLate };
      const outcome = await probe(MOVIE, { program: ['/usr/bin/sleep', '98764'], timeoutSeconds: 1, late });
      expect(onLate).toHaveBeenCalledOnce();
      expect(outcome).toMatchObject({
        ok: false,
        failure: { code: 'TIMEOUT', message: expect.stringContaining('within 2 s') },
      });
      expect(processesWith('98764')).toEqual([]);
    });

    test('stops a probe with endless output', async () => {
      const outcome = await probe(MOVIE, { program: ['/usr/bin/yes', 'ffprobe-98762'] });
      expect(outcome).toMatchObject({ ok: false, failure: { code: 'INPUT_INVALID' } });
      expect(processesWith('ffprobe-98762')).toEqual([]);
    });

    test('stops when the client disconnects', async () => {
      const gone = new AbortController();
      const options = probe(MOVIE, { program: ['/usr/bin/sleep', '98763'], signal: gone.signal });
      const failed = expect(options).rejects.toThrow('hung up');
      await waitUntil('the probe', async () => (processesWith('98763').length > 0 ? true : undefined));
      gone.abort(new Error('hung up'));
      await failed;
      expect(processesWith('98763')).toEqual([]);
    });
  });

needs('ffmpeg')('describes a finished file, tells an unreadable one, and nothing about a missing one', async () => {
  const dir = await folder();
  const words = join(dir, 'words.mp4');
  await writeFile(words, 'no media');
  const about = {
    ffprobePath: await realpath(tools().ffprobePath),
    workRoot: tmpdir(),
    sandbox: NO_SANDBOX,
    signal: NEVER,
  };
  const found = await probeOutput({ ...about, file: MOVIE });
  const info = found?.ok ? found.info : undefined;
  expect(info?.format.durationSeconds).toBeCloseTo(30, 1);
  expect(info?.streams.map(({ codec }) => codec)).toEqual(['h264', 'aac']);
  expect(await probeOutput({ ...about, file: words })).toMatchObject({ ok: false });
  expect(await probeOutput({ ...about, file: join(dir, 'none.mp4') })).toBeUndefined();
  expect(await probeOutput({ ...about, file: MOVIE, signal: AbortSignal.abort() })).toBeUndefined();
});
