import { conversion, type Mistake, mistake } from './mistake.ts';

const preset = (name: string, own: object) => ({ preset: { name, arguments: own } });

/** Units, spellings and names that belong to other tools. */
export const UNCLEAR_VALUES: readonly Mistake[] = [
  // The unit is not clear: the answer says it, and sends no limit.
  conversion(preset('burn-subtitles', { subtitles: 'subs.srt', fontSize: 24 }), /\\"size\\":8\.3/),
  conversion(preset('target-size', { size: 3_000_000 }), /megabytes.*is in bytes, send 3\./, /Send 100000/),
  conversion({ ...preset('gif', { length: 10_000 }), output: 'a.gif' }, /milliseconds, send 10\./, /Send 120\./),
  conversion({ ...preset('podcast', { bitrate: 128_000 }), output: 'a.mp3' }, /bit\/s, send 128\./, /Send 320\./),
  conversion(preset('fade', { seconds: 2000 }), /milliseconds, send 2\./, /Send 30\./),
  conversion(preset('watermark', { percent: 0.2, logo: 'photo.jpg' }), /share of 1, send 20\./, /Send 1\./),
  conversion(preset('speed', { factor: -2 }), /from 0.25 to 100/, /Send 0.25/),
  // A limit that is near is meant.
  conversion(preset('resize', { height: 4400 }), /"fix":"Send 4320\."/),
  // Options nested as in other services.
  conversion(
    { parameters: { video: { codec: 'h264', bitrate: '2M' } } },
    /"fix":"Send \\"c:v\\": \\"h264\\" and \\"b:v\\": \\"2M\\"\."/,
    /23/,
  ),
  conversion(
    { parameters: { video: { codec: 'h264', wibble: 1 } } },
    /Send options of ffmpeg, each value as a string/,
    /such as \\"23\\"/,
  ),
  conversion({ filters: ['scale=1280:-2', 'fps=25'] }, /\\"vf\\":\\"scale=1280:-2,fps=25\\"/),
  conversion({ filters: { scale: '1280:-2' } }, /\\"vf\\":\\"scale=1280:-2\\"/),
  conversion({ codec: 'h264' }, /\\"c:v\\":\\"h264\\"/),
  conversion({ codec: 'aac' }, /\\"c:a\\":\\"aac\\"/),
  conversion({ start: 5, duration: 10 }, /\\"ss\\":\\"5\\",\\"t\\":\\"10\\"/),
  conversion({ delete: true }, /expiresAfterSeconds.*never removes its inputs/),
  conversion(preset('compress', { size: 8 }), /\\"target-size\\",\\"arguments\\":\{\\"size\\":8\}/),
  conversion(preset('compress', { size: 8_000_000 }), /in bytes, send .*\{\\"size\\":8\}/),
  // Times in any spelling are taken.
  mistake('render_preview', { input: 'film.mp4', view: 'frame', at: '00:00:01' }, /Frame at 1 s/),
  mistake('render_preview', { input: 'film.mp4', view: 'frame', at: 1 }, /Frame at 1 s/),
  mistake('render_preview', { input: 'film.mp4', view: 'frame', at: '1500ms' }, /Frame at 1\.5 s/),
  mistake('render_preview', { input: 'film.mp4', view: 'frame', at: '2 months' }, /Send, for example, 12\.5/),
  mistake(
    'render_preview',
    { input: 'film.mp4', view: 'frame', at: 'the end' },
    /Send, for example, 12\.5/,
    /characters/,
  ),
  mistake('analyze_media', { input: 'film.mp4', measure: 'volume', ss: 0, t: '00:01' }, /"measurements"/),
  mistake(
    'analyze_media',
    { input: 'film.mp4', measure: ['volume'], settings: { black: { share: 0.9 } } },
    /"fix":"Leave it out, or add \\"black\\" to \\"measure\\"\./,
    /"measurements"/,
  ),
  // Ids and files.
  mistake('get_job', { jobId: 'job_123' }, /call list_jobs/, /0199a7c2/),
  mistake('wait_for_job', { id: 'latest' }, /Send \\"jobId\\"/),
  mistake('get_job', {}, /call list_jobs/, /0199a7c2/),
  mistake('probe_media', { jobId: '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10' }, /call get_job with/, /movies\/in\.mov/),
  mistake('list_files', { prefix: 'wavs/*/*.wav' }, /wildcard in a folder.*Send \\"wavs\/\\"/),
  mistake('list_files', { prefix: 'nowhere/' }, /\{\\"prefix\\": \\"\\"\}/),
  mistake('create_upload_link', { path: 'film.mp4' }, /exists.*\\"replace\\": true/, /"url"/),
  conversion({ input: 'https://example.com/a.mp4' }, /create_upload_link/),
  mistake('probe_media', { input: 'https://example.com/a.mp4' }, /create_upload_link/),
  conversion({ input: '/Users/amy/Desktop/holiday.mov' }, /create_upload_link|film\.mp4/),
  conversion({ input: 'C:\\films\\holiday.mov' }, /create_upload_link/),
  // Tools that are none.
  mistake('gif', { input: 'film.mp4' }, /find_recipe with \{"query": "gif"\}/),
  mistake('transcribe_audio', { input: 'film.mp4' }, /find_recipe with \{"query": "transcribe audio"\}/),
  mistake('delete_file', { path: 'film.mp4' }, /No tool deletes files/),
  mistake('get_video_info', { path: 'film.mp4' }, /probe_media/),
  mistake('upload_file', { path: 'film.mp4' }, /create_upload_link/),
  // What recipes do not do.
  mistake(
    'find_recipe',
    { query: 'transcribe' },
    /"unavailable":"Captions of speech need.*cannot run on this service now/,
  ),
  mistake(
    'find_recipe',
    { query: 'translate the subtitles' },
    /does not translate\. If one of \\"near\\" does the rest/,
  ),
  mistake('find_recipe', { query: 'burn a dvd of the wedding' }, /"near":/, /No recipe seems/),
];
