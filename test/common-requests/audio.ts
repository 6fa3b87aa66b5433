import { duration, format, streams } from './checks/container.ts';
import { samePackets } from './checks/packets.ts';
import { sizeBetween } from './checks/size.ts';
import { levelChange, sameSamples } from './checks/sound.ts';
import type { CommonRequest } from './common-request.ts';

const mono = { channels: 1, sample_rate: '44100' };
const stereo = { channels: 2, sample_rate: '48000' };

/** Audio files and their codecs. */
export const AUDIO: readonly CommonRequest[] = [
  {
    title: 'extracts the audio of an MP4 without re-encoding',
    source: 'question sites: "extract audio from video without re-encoding"',
    request: { input: 'small.mp4', output: 'audio/as-is.m4a', parameters: { vn: '', 'c:a': 'copy' } },
    checks: [streams({ codec_name: 'aac', ...stereo }), samePackets('small.mp4', 'a:0')],
  },
  {
    title: 'extracts the audio of a WebM without re-encoding',
    source: 'question sites: "extract opus or vorbis from webm"',
    request: { input: 'lena.webm', output: 'audio/as-is.ogg', parameters: { vn: '', 'c:a': 'copy' } },
    checks: [format('ogg'), samePackets('lena.webm', 'a:0')],
  },
  {
    title: 'joins audio of several formats',
    source: 'question sites: "join mp3, ogg and m4a"',
    request: {
      inputs: [
        { input: 'lena.webm', parameters: { t: '1' } },
        { input: 'lena.m4a', parameters: { t: '1' } },
        { input: 'lena.opus', parameters: { t: '1' } },
        { input: 'lena.mp3', parameters: { t: '1' } },
      ],
      output: 'audio/many.wav',
      parameters: { filter_complex: '[0:a][1:a][2:a][3:a]concat=n=4:v=0:a=1[a]', map: '[a]', ac: '1', ar: '22050' },
    },
    checks: [format('wav'), streams({ codec_name: 'pcm_s16le', channels: 1, sample_rate: '22050' }), duration(4, 0.15)],
  },
  {
    title: 'encodes MP3 with a variable bit rate',
    source: 'ffmpeg wiki, "Encode/MP3"',
    request: { input: 'lena.flac', output: 'audio/vbr.mp3', parameters: { 'c:a': 'libmp3lame', 'q:a': '2' } },
    checks: [
      format('mp3'),
      streams({ codec_name: 'mp3', ...mono }),
      duration(12.27, 0.06),
      levelChange(0, 'lena.flac'),
    ],
  },
  {
    title: 'extracts the audio of a video as MP3 with a constant bit rate',
    source: 'question sites: "mp4 to mp3"',
    request: {
      input: 'small.mp4',
      output: 'audio/cbr.mp3',
      parameters: { vn: '', 'b:a': '192k', ar: '44100', ac: '2' },
    },
    checks: [streams({ codec_name: 'mp3', bit_rate: '192000', sample_rate: '44100', channels: 2 }), duration(2, 0.08)],
  },
  {
    title: 'encodes AAC as M4A',
    source: 'ffmpeg wiki, "Encode/AAC"',
    request: { input: 'lena.flac', output: 'audio/lena.m4a', parameters: { 'c:a': 'aac', 'b:a': '128k' } },
    checks: [
      streams({ codec_name: 'aac', profile: 'LC', ...mono }),
      duration(12.27, 0.03),
      levelChange(0, 'lena.flac'),
    ],
  },
  {
    title: 'encodes Opus for speech',
    source: 'ffmpeg documentation, encoder libopus',
    request: {
      input: 'lena.flac',
      output: 'audio/speech.opus',
      parameters: { 'c:a': 'libopus', 'b:a': '24k', application: 'voip', vbr: 'on' },
    },
    checks: [format('ogg'), streams({ codec_name: 'opus', channels: 1 }), duration(12.27, 0.03)],
  },
  {
    title: 'encodes Vorbis by quality',
    source: 'ffmpeg wiki, "TheoraVorbisEncodingGuide"',
    request: { input: 'stereo.wav', output: 'audio/vorbis.ogg', parameters: { 'c:a': 'libvorbis', 'q:a': '5' } },
    checks: [streams({ codec_name: 'vorbis', ...stereo }), duration(3, 0.03), levelChange(0, 'stereo.wav')],
  },
  {
    title: 'encodes FLAC with the highest compression',
    source: 'ffmpeg documentation, encoder flac',
    request: { input: 'voice.wav', output: 'audio/small.flac', parameters: { 'c:a': 'flac', compression_level: '12' } },
    checks: [streams({ codec_name: 'flac', ...mono, bits_per_raw_sample: '16' }), sameSamples('voice.wav')],
  },
  {
    title: 'encodes ALAC for Apple players',
    source: 'question sites: "flac to alac"',
    request: { input: 'lena.flac', output: 'audio/lossless.m4a', parameters: { 'c:a': 'alac', vn: '' } },
    checks: [streams({ codec_name: 'alac', ...mono }), sameSamples('lena.flac')],
  },
  {
    title: 'writes a 24-bit WAV',
    source: 'question sites: "flac to 24 bit wav"',
    request: { input: 'lena.flac', output: 'audio/24.wav', parameters: { 'c:a': 'pcm_s24le' } },
    checks: [streams({ codec_name: 'pcm_s24le', bits_per_sample: 24 }), sameSamples('lena.flac')],
  },
  {
    title: 'writes a 16 kHz mono WAV for speech recognition',
    source: 'question sites: "convert audio for speech recognition, 16 kHz mono"',
    request: {
      input: 'movie.mp4',
      output: 'audio/recognise.wav',
      parameters: { vn: '', 'c:a': 'pcm_s16le', ar: '16000', ac: '1' },
    },
    checks: [streams({ codec_name: 'pcm_s16le', sample_rate: '16000', channels: 1 }), duration(3, 0.08)],
  },
  {
    title: 'resamples with soxr',
    source: 'ffmpeg documentation, "Resampler options": soxr',
    request: {
      input: 'voice.wav',
      output: 'audio/soxr.flac',
      parameters: { af: 'aresample=resampler=soxr:precision=28', ar: '48000' },
    },
    checks: [
      streams({ codec_name: 'flac', sample_rate: '48000', channels: 1 }),
      duration(3, 0.001),
      levelChange(0, 'voice.wav'),
    ],
  },
  {
    title: 'cuts a part of an MP3 without re-encoding',
    source: 'question sites: "cut mp3 without re-encoding"',
    request: {
      input: 'lena.mp3',
      output: 'audio/part.mp3',
      parameters: { ss: '2', t: '3', c: 'copy' },
    },
    checks: [streams({ codec_name: 'mp3' }), duration(3, 0.06)],
  },
  {
    title: 'encodes 5.1 surround as AC-3',
    source: 'question sites: "convert audio to ac3 5.1"',
    request: { input: 'surround.flac', output: 'audio/surround.ac3', parameters: { 'c:a': 'ac3', 'b:a': '448k' } },
    checks: [
      streams({ codec_name: 'ac3', channels: 6, channel_layout: '5.1(side)', bit_rate: '448000' }),
      duration(3, 0.04),
    ],
  },
  {
    title: 'reads raw samples',
    source: 'question sites: "convert raw pcm to wav"',
    request: {
      inputs: [{ input: 'voice.pcm', parameters: { f: 's16le', ar: '16000', ac: '1' } }],
      output: 'audio/from-raw.wav',
    },
    checks: [
      streams({ codec_name: 'pcm_s16le', sample_rate: '16000', channels: 1 }),
      duration(3, 0.001),
      levelChange(0, 'voice.wav'),
    ],
  },
  {
    title: 'writes raw samples',
    source: 'question sites: "mp3 to raw pcm s16le"',
    request: {
      input: 'lena.mp3',
      output: 'audio/raw.pcm',
      format: 's16le',
      parameters: { ar: '8000', ac: '1', t: '2' },
    },
    checks: [sizeBetween(32_000, 32_000)],
  },
];
