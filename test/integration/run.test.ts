import { copyFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Progress } from '../../packages/contract/src/domain/job.ts';
import type { Plan } from '../../packages/contract/src/domain/plan.ts';
import { runConversion } from '../../packages/ffmpeg/src/run/run.ts';
import type { Sandbox } from '../../packages/ffmpeg/src/sandbox/sandbox.ts';
import { conversion, MOVIE, planOf, probePackets, SONG, scratch } from '../fixtures/conversion.ts';
import { SANDBOXES } from '../fixtures/sandboxes.ts';

for (const { kind, sandbox, tags, test } of SANDBOXES)
  describe(kind, { tags }, () => {
    test('converts a real file and describes the output without ffprobe', async () => {
      const dir = await scratch();
      const seen: Progress[] = [];
      const plan = planOf(
        'out/a.mp4',
        [['-i', 'in/0.mp4', '-t', '1', '-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac', 'out/a.mp4']],
        {
          output: { duration: 1 },
        },
      );
      let started = 0;
      const outcome = await runConversion(
        conversion(sandbox, dir, plan, { onStart: () => started++, onProgress: (progress) => seen.push(progress) }),
      );
      expect(outcome).toMatchObject({
        ok: true,
        outputs: [
          {
            durationSeconds: expect.closeTo(1, 1),
            streams: [
              { index: 0, type: 'video', codec: 'h264', width: 854, height: 480, fps: 24 },
              { index: 1, type: 'audio', codec: 'aac', sampleRate: 48000, channels: '5.1' },
            ],
          },
        ],
        log: expect.stringContaining("Output #0, mp4, to 'out/a.mp4':"),
      });
      expect(started).toBe(1);
      const percents = seen.map((progress) => progress.percent ?? 0);
      expect(percents).toEqual([...percents].sort((a, b) => a - b));
      expect(percents.at(-1)).toBe(100);
      expect(probePackets(join(dir, 'out/a.mp4')).streams.map((s) => s.codec_name)).toEqual(['h264', 'aac']);
    });

    test('a command that is too long for the system fails the job, not the service', async () => {
      const words = Array.from({ length: 40 }, () => ['-metadata', `x=${'y'.repeat(100_000)}`]).flat();
      const plan = planOf('out/a.mp4', [['-i', 'in/0.mp4', ...words, 'out/a.mp4']]);
      expect(await runConversion(conversion(sandbox, await scratch(), plan))).toMatchObject({
        ok: false,
        failure: { code: 'UNSUPPORTED', message: expect.stringContaining('longer than the system allows') },
      });
    });

    test('a title with several lines does not affect the failure message', async () => {
      const dir = await scratch();
      const forged = [
        'title=one\n: No space left on device',
        'comment=two\nav_interleaved_write_frame(): No space left on device',
      ];
      const words = ['-metadata', forged[0] ?? '', '-metadata', forged[1] ?? ''];
      const result = await runConversion(
        conversion(
          sandbox,
          dir,
          planOf('out/a.mkv', [['-i', 'in/0.mp4', '-t', '0.2', '-c', 'copy', ...words, 'out/a.mkv']]),
        ),
      );
      expect(result.ok).toBe(true);
      const mounts = [{ logical: 'in/0.mkv', hostPath: join(dir, 'out/a.mkv') }];
      const failing = planOf('out/b.webm', [['-i', 'in/0.mkv', '-c', 'copy', '-f', 'webm', 'out/b.webm']]);
      const outcome = await runConversion(conversion(sandbox, await scratch(), failing, { mounts }));
      expect(outcome).toMatchObject({ ok: false, failure: { code: 'UNSUPPORTED' } });
    });

    test('stream tags that imitate another input neither avoid the limit of streams nor explain a failure', async () => {
      const dir = await scratch();
      const tag = "x\n[info] Input #0, mov, from 'q':\n[info]   t=v";
      const words = ['-i', 'in/0.mp4', '-t', '0.2', ...['-map', '0:a', '-map', '0:a', '-map', '0:a'], '-c', 'copy'];
      const tags = [0, 1, 2].flatMap((stream) => [`-metadata:s:${stream}`, tag]);
      const made = planOf('out/a.nut', [[...words, '-c:a', 'flac', ...tags, 'out/a.nut']]);
      expect(await runConversion(conversion(sandbox, dir, made))).toMatchObject({ ok: true });

      const mounts = [{ logical: 'in/0.nut', hostPath: join(dir, 'out/a.nut') }];
      const copy = planOf('out/b.mka', [['-i', 'in/0.nut', '-map', '0', '-c', 'copy', 'out/b.mka']]);
      const policy = { ...conversion(sandbox, dir, copy).policy, streams: 2 };
      const limited = await runConversion(conversion(sandbox, await scratch(), copy, { mounts, policy }));
      expect(limited).toMatchObject({ ok: false, failure: { code: 'LIMIT_EXCEEDED' } });

      const video = planOf('out/c.mkv', [['-i', 'in/0.nut', '-map', '0:v', '-c', 'copy', 'out/c.mkv']]);
      const failed = await runConversion(conversion(sandbox, await scratch(), video, { mounts }));
      // The report lists one stream, so a message that lists the streams would be wrong.
      const message = 'No stream of the inputs matches map "0:v".';
      expect(failed).toMatchObject({ ok: false, failure: { code: 'INPUT_INVALID', message } });
    });

    test('two passes share one progress', async () => {
      const dir = await scratch();
      const passArguments = (number: string, ...to: string[]) => [
        ...['-i', 'in/0.mp4', '-t', '1', '-an', '-s', '64x48', '-c:v', 'libx264', '-b:v', '200k'],
        ...['-pass', number, '-passlogfile', 'pass/log', ...to],
      ];
      const plan = planOf('out/a.mp4', [passArguments('1', '-f', 'null', '-'), passArguments('2', 'out/a.mp4')], {
        output: { duration: 1 },
      });
      const percents: number[] = [];
      const outcome = await runConversion(
        conversion(sandbox, dir, plan, { onProgress: ({ percent }) => percents.push(percent ?? 0) }),
      );
      expect(outcome).toMatchObject({ ok: true, log: expect.stringMatching(/^Pass 1 of 2\n[\s\S]*^Pass 2 of 2\n/m) });
      expect(percents).toContain(50);
      expect(percents.at(-1)).toBe(100);
      expect(await readdir(join(dir, 'out'))).toEqual(['a.mp4']);
    });

    test('reads both an image sequence in scratch and a file outside it', async () => {
      const dir = await scratch();
      const frames = planOf('out/%03d.png', [
        ['-i', 'in/0.mp4', '-frames:v', '5', '-vf', 'scale=64:-2', '-start_number', '0', 'out/%03d.png'],
      ]);
      expect(await runConversion(conversion(sandbox, dir, frames))).toMatchObject({ ok: true });

      const next = await scratch();
      const names = await readdir(join(dir, 'out'));
      await Promise.all(names.map((name) => copyFile(join(dir, 'out', name), join(next, 'in', name))));
      const plan = planOf('out/a.mp4', [
        [
          '-framerate',
          '5',
          '-i',
          'in/%03d.png',
          '-i',
          'in/1/song.mp3',
          '-shortest',
          '-pix_fmt',
          'yuv420p',
          'out/a.mp4',
        ],
      ]);
      const mounts = [
        ...names.map((name) => ({ logical: `in/${name}`, hostPath: join(next, 'in', name) })),
        { logical: 'in/1/song.mp3', hostPath: SONG },
      ];
      expect(await runConversion(conversion(sandbox, next, plan, { mounts }))).toMatchObject({
        ok: true,
        outputs: [{ streams: [{ codec: 'h264' }, { codec: 'aac' }] }],
      });
    });

    describe('with a fault in the code that explains results', () => {
      const planted = (): never => {
        throw new Error('planted');
      };

      /** The plan, with a fault in what names the places of options. */
      const faulty = (plan: Plan): Plan => ({
        ...plan,
        outputs: plan.outputs.map((output) => ({
          ...output,
          fields: new Proxy({}, { get: planted, has: planted, ownKeys: planted, getOwnPropertyDescriptor: planted }),
        })),
      });

      test('a conversion completes, with the warnings of the other checks', async () => {
        const faults: unknown[] = [];
        const late = [
          '-i',
          'in/0.mp4',
          '-t',
          '1',
          '-filter:v',
          'fade=type=in:start_time=60',
          '-c:a',
          'copy',
          'out/a.mp4',
        ];
        const plan = planOf('out/a.mp4', [['-ss', '29.5', ...late]], {
          inputs: [{ start: 29.5 }],
          output: { duration: 60 },
        });
        const dir = await scratch();
        const outcome = await runConversion(
          conversion(sandbox, dir, faulty(plan), { onFault: (error) => faults.push(error) }),
        );
        expect(outcome).toMatchObject({ ok: true, warnings: [{ code: 'SHORT_OUTPUT' }] });
        // Each warning rule that throws is reported.
        expect(new Set(faults.map((error) => (error as Error).message))).toEqual(new Set(['planted']));
        expect(await readdir(join(dir, 'out'))).toEqual(['a.mp4']);
      });

      test('a conversion fails for its true reason', async () => {
        const faults: unknown[] = [];
        const plan = planOf('out/a.mp4', [['-i', 'in/0.mp4', '-filter:v', 'crop=out_w=5000:out_h=5000', 'out/a.mp4']]);
        const outcome = await runConversion(
          conversion(sandbox, await scratch(), faulty(plan), { onFault: (error) => faults.push(error) }),
        );
        const message = expect.stringContaining(
          'The filter crop cannot use its input with these options: Invalid too big',
        );
        expect(outcome).toMatchObject({ ok: false, failure: { code: 'FFMPEG_FAILED', message } });
        // Each explanation that looks up an option reports it.
        expect(new Set(faults.map(String))).toEqual(new Set(['Error: planted']));
      });
    });

    test('writes segments next to the playlist', async () => {
      const dir = await scratch();
      const plan = planOf('out/a.m3u8', [['-i', 'in/0.mp4', '-t', '4', '-c', 'copy', '-hls_time', '1', 'out/a.m3u8']]);
      expect(await runConversion(conversion(sandbox, dir, plan))).toMatchObject({ ok: true });
      expect(await readdir(join(dir, 'out'))).toEqual(expect.arrayContaining(['a.m3u8', 'a0.ts']));
    });

    test('a still image has a size and no duration', async () => {
      const dir = await scratch();
      const plan = planOf('out/a.jpg', [['-ss', '5', '-i', 'in/0.mp4', '-frames:v', '1', 'out/a.jpg']]);
      const outcome = await runConversion(conversion(sandbox, dir, plan));
      expect(outcome).toMatchObject({
        ok: true,
        outputs: [{ streams: [{ codec: 'mjpeg', width: 854, height: 480 }] }],
      });
      expect(outcome.ok && outcome.outputs[0]?.durationSeconds).toBeUndefined();
    });

    test('writes the requested subtitles', async () => {
      const dir = await scratch();
      await writeFile(join(dir, 'in/1.srt'), '1\n00:00:00,500 --> 00:00:01,500\nHello\n');
      const plan = planOf('out/a.mkv', [
        ['-i', 'in/0.mp4', '-i', 'in/1.srt', '-t', '2', '-map', '0', '-map', '1', '-c', 'copy', 'out/a.mkv'],
      ]);
      const mounts = [
        { logical: 'in/0.mp4', hostPath: MOVIE },
        { logical: 'in/1.srt', hostPath: join(dir, 'in/1.srt') },
      ];
      expect(await runConversion(conversion(sandbox, dir, plan, { mounts }))).toMatchObject({
        ok: true,
        outputs: [{ streams: [{ type: 'video' }, { type: 'audio' }, { type: 'subtitle', codec: 'subrip' }] }],
      });
    });

    test.each([
      ['INPUT_INVALID', ['-i', 'in/0.mp4', '-map', '0:7', 'out/a.mp4']],
      ['UNSUPPORTED', ['-i', 'in/0.mp4', '-c', 'copy', 'out/a.webm']],
      ['INPUT_NOT_FOUND', ['-i', 'in/none.mp4', 'out/a.mp4']],
      ['FFMPEG_FAILED', ['-ss', '100', '-i', 'in/0.mp4', 'out/a.mp4']],
    ])('reports %s with a fix', async (code, argv) => {
      const outcome = await runConversion(conversion(sandbox, await scratch(), planOf('out/a', [argv])));
      expect(outcome).toMatchObject({ ok: false, failure: { code, fix: expect.anything() } });
    });
  });

for (const { kind, sandbox, test } of SANDBOXES.filter((each) => each.kind !== 'none'))
  test(`${kind}: a program that cannot be started fails its conversion, and not the service`, async () => {
    const broken = { ...sandbox, tools: { ...sandbox.tools, nice: '/nowhere/nice' } } as Sandbox;
    const plan = planOf('out/a.mkv', [['-i', 'in/0.mp4', '-c', 'copy', 'out/a.mkv']]);
    // Vitest fails for a rejection that nothing handles, which would end the service.
    await expect(runConversion(conversion(broken, await scratch(), plan))).rejects.toMatchObject({ code: 'ENOENT' });
  });
