import { expect } from 'vitest';
import { commonServer } from '../support/common-server.ts';
import { needs } from '../support/needs.ts';

const start = commonServer();
const test = needs('ffmpeg');

interface Option {
  readonly name: string;
  readonly min?: number;
  readonly constants?: readonly { readonly name: string }[];
}

test('capabilities of the installed ffmpeg are found by words and shown by name', async () => {
  const { own } = await start();
  const found = await own.request<{ codecs: Option[] }>('/api/capabilities/codecs?q=h264&use=encode');
  expect(found.body.codecs.map(({ name }) => name)).toContain('libx264');

  const codec = await own.request<{ encoderOptions: Option[] }>('/api/capabilities/codecs/libx264');
  const crf = codec.body.encoderOptions.find(({ name }) => name === 'crf');
  expect(crf).toMatchObject({ type: 'float', min: 0, max: 51, usual: '18 to 28' });

  const scaling = await own.request<{ options: Option[] }>('/api/capabilities/options?filter=scale&q=width');
  expect(scaling.body.options.map(({ name }) => name)).toContain('w');

  const words = await own.request<{ options: Option[] }>('/api/capabilities/options?q=faststart');
  expect(words.body.options[0]).toMatchObject({ name: 'movflags', on: 'output' });

  const formats = await own.request<{ outputOptions: Option[] }>('/api/capabilities/formats/hls');
  expect(formats.body.outputOptions.map(({ name }) => name)).toContain('hls_time');
});

test('a dry run accepts an option value that the search found', async () => {
  const { own } = await start();
  const { body } = await own.request<{ options: Option[] }>('/api/capabilities/options?encoder=libx264&q=aq-mode');
  const mode = body.options.flatMap(({ constants }) => constants ?? []).at(-1);
  const parameters = { 'c:v': 'libx264', 'aq-mode': mode?.name ?? '' };
  const dry = await own.request<{ argv: string[][] }>('/api/conversion?dryRun=true', {
    body: { input: 'in.mp4', output: 'out.mp4', parameters },
  });
  expect(dry.body.argv[0]?.join(' ')).toContain('-aq-mode autovariance-biased');
});
