import { conversion, type Mistake, mistake } from './mistake.ts';

/*
 * Calls in the words of five public MCP servers for ffmpeg: their tools, arguments and presets, as a model sends them that knows those
 * servers. What the answers must say was written before they were read.
 */

const preset = (name: string, own?: object) => ({ preset: { name, ...(own && { arguments: own }) } });
const file = { input: 'film.mp4' };

/** Tools of other servers. */
const TOOLS: readonly Mistake[] = [
  mistake('ffmpeg_get_info', { file_path: 'film.mp4' }, /probe_media/),
  mistake('get_video_info', { video_path: 'film.mp4' }, /probe_media/),
  mistake('media_probe', { asset_id: 'a1' }, /probe_media/),
  mistake('find_video_path', { root_path: '.', video_name: 'film' }, /list_files/),
  mistake('job_status', { job_id: '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10' }, /get_job/),
  mistake('job_result', { job_id: '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10' }, /get_job/),
  mistake('media_get_download_url', { asset_id: 'a1' }, /get_job/),
  ...['share_file', 'create_share_link', 'get_public_url', 'list_shares', 'unshare_file'].map((tool) =>
    mistake(tool, { path: 'film.mp4' }, /share_files/),
  ),
  ...['watch_directory', 'create_hot_folder', 'list_watches', 'watch_folders'].map((tool) =>
    mistake(tool, { path: 'in/' }, /watch_folder/),
  ),
  mistake('media_ingest_from_url', { url: 'https://example.com/a.mp4' }, /convert_media|create_upload_link/),
  mistake('list_capabilities', {}, /describe_capabilities/),
  mistake('ffmpeg_capabilities', {}, /describe_capabilities/),
  mistake('ffmpeg_list_presets', {}, /find_recipe/),
  mistake('ffmpeg_describe_preset', { name: 'mp4_web_1080p' }, /find_recipe/),
  mistake('list_resolution_presets', {}, /find_recipe/),
  mistake('list_recipes', {}, /find_recipe/),
  ...['list_formats', 'list_filters', 'list_muxers', 'show_formats', 'get_output_formats'].map((tool) =>
    mistake(tool, {}, /describe_capabilities/),
  ),
  mistake('health_check', {}, /convert_media/),
  mistake('ffmpeg_convert', { file_path: 'film.mp4', output_format: 'webm' }, /convert_media/),
  mistake('ffmpeg_transcode', { asset_id: 'a1', preset: 'mp4_web_720p_small' }, /convert_media/),
  mistake('ffmpeg_thumbnail', { asset_id: 'a1', timestamp: 5 }, /find_recipe.*thumbnail/),
  mistake('trim_video', { video_path: 'film.mp4', start_time: '0', end_time: '2' }, /find_recipe.*trim/),
  mistake('concat_videos', { input_files: ['a.mp4', 'b.mp4'] }, /find_recipe.*concat|"join"/),
  mistake('make_gif', { input_video_path: 'film.mp4' }, /find_recipe.*gif/),
  mistake('extract_frames_from_video', { video_path: 'film.mp4', fps: 1 }, /find_recipe.*frames/),
  ...['create_slideshow', 'normalize_loudness', 'reduce_quality', 'set_duration', 'apply_filters', 'stop_motion'].map(
    (tool) => mistake(tool, {}, /find_recipe/),
  ),
  ...['extract_metadata', 'extract_video_info', 'get_streams'].map((tool) =>
    mistake(tool, { input: 'film.mp4' }, /probe_media/),
  ),
  ...['remove_metadata', 'strip_metadata', 'set_metadata', 'remove_streams'].map((tool) =>
    mistake(tool, { input: 'film.mp4' }, /find_recipe/),
  ),
  mistake('generate_preview', { input: 'film.mp4' }, /render_preview/),
  mistake('play_video', { video_path: 'film.mp4' }, /render_preview/),
  mistake('detect_scenes', { input_path: 'film.mp4' }, /analyze_media/),
  mistake('detect_faces', { input_path: 'film.mp4' }, /does not recognise/),
  mistake('auto_caption', { input_path: 'film.mp4' }, /find_recipe.*caption/),
  mistake('translate_transcript', { text: 'a' }, /find_recipe|does not translate/),
];

/** Arguments of other servers at the top of a conversion. */
const ARGUMENTS: readonly Mistake[] = [
  mistake('convert_media', { file_path: 'film.mp4', output_path: 'o.mp4' }, /Send \\"input\\".*Send \\"output\\"/),
  mistake('convert_media', { video_path: 'film.mp4', output: 'o.mp4' }, /Send \\"input\\"/),
  mistake('convert_media', { input_video_path: 'film.mp4', output: 'o.mp4' }, /Send \\"input\\"/),
  mistake(
    'convert_media',
    { input_files: ['film.mp4', 'film.mp4'], output: 'o.mp4', join: 'encode' },
    /Send \\"inputs\\"/,
  ),
  mistake(
    'convert_media',
    { file_paths: ['film.mp4', 'film.mp4'], output: 'o.mp4', join: 'copy' },
    /Send \\"inputs\\"/,
  ),
  mistake('convert_media', { ...file, output_video_path: 'o.mp4' }, /Send \\"output\\"/),
  mistake('convert_media', { ...file, output_folder: 'out' }, /the folder is part of/),
  conversion({ output_format: 'webm' }, /Send \\"format\\"/),
  conversion({ video_codec: 'libx265' }, /\\"c:v\\":\\"libx265\\"/),
  conversion({ audio_codec: 'aac', audio_bitrate: '192k' }, /\\"c:a\\":\\"aac\\",\\"b:a\\":\\"192k\\"/),
  conversion({ scale: '1280:720' }, /scale=1280:720/),
  conversion({ start_time: '00:00:01', end_time: '00:00:02' }, /\\"ss\\":\\"00:00:01\\",\\"to\\":\\"00:00:02\\"/),
  conversion({ start_timestamp: 1, duration: 2 }, /\\"ss\\":\\"1\\",\\"t\\":\\"2\\"/),
  conversion({ resolution: '1280x720', frame_rate: 30 }, /\\"s\\":\\"1280x720\\".*\\"r\\":\\"30\\"/),
  conversion({ width: 640, height: -2 }, /scale=640:-2/),
  conversion({ quality: 'medium' }, /crf|compress|recipe/),
  conversion({ preset: 'fast' }, /\\"preset\\":\\"fast\\"/),
  conversion({ preset: 'mp4_web_720p_small' }, /\{\\"name\\":\\"mp4_web_720p_small\\"\}|web-h264/),
  conversion({ speed_factor: 2 }, /setpts=PTS\/2|speed/),
  conversion({ fps: 24 }, /\\"r\\":\\"24\\"/),
  conversion({ sample_rate: 44_100, channels: 1 }, /\\"ar\\":\\"44100\\",\\"ac\\":\\"1\\"/),
  conversion({ aspect_ratio: '9:16', fit: 'blur' }, /find_recipe/),
  conversion({ total_frames: 10 }, /frames:v/),
  conversion({ overwrite: true }, /\\"y\\":\\"\\"/),
  conversion({ bitrate: '2M', codec: 'h264' }, /\\"b:v\\":\\"2M\\",\\"c:v\\":\\"h264\\"/),
  conversion({ ffmpeg_args: '-c:v libx264 -crf 28' }, /\\"c:v\\":\\"libx264\\",\\"crf\\":\\"28\\"/),
  conversion({ ffmpeg_command: 'ffmpeg -i film.mp4 -vf scale=640:-2 o.mp4' }, /\\"vf\\":\\"scale=640:-2\\"/),
];

/** Presets of other servers, and arguments of recipes in their words. */
const RECIPES: readonly Mistake[] = [
  conversion(preset('mp4_web_1080p'), /web-h264/),
  conversion({ ...preset('mp3_voice_128k'), output: 'a.mp3' }, /"fix":"(?:Send|Did)[^}]*(?:mp3|podcast|opus-voice)/),
  conversion({ ...preset('gif_preview_lowfps'), output: 'a.gif' }, /\\"gif\\"/),
  conversion({ ...preset('mp4_social_vertical_1080x1920') }, /vertical/),
  conversion({ ...preset('wav_pcm_16k_mono'), output: 'a.wav' }, /\\"wav\\"/),
  conversion(preset('trim_video', { start_time: 0, end_time: 2 }), /\\"trim\\".*\\"start\\":0,\\"end\\":2/),
  conversion(preset('trim', { start_time: 0, end_time: '00:00:02' }), /\{\\"start\\":0,\\"end\\":\\"00:00:02\\"\}/),
  conversion(preset('trim', { start_timestamp: 1, duration: 2 }), /\{\\"start\\":1,\\"end\\":3\}/),
  conversion(preset('resize_video', { width: 1280, height: 720 }), /resize.*720|letterbox/),
  conversion(preset('resize', { width: 640 }), /scale=640:-2|Send \\"height\\"/),
  conversion(preset('speed', { speed_factor: 2 }), /\{\\"factor\\":2\}/),
  conversion(preset('speed', { factor: '2x' }), /Send 2\./),
  conversion(preset('rotate', { angle: 90 }), /\\"by\\"/),
  conversion(
    { ...preset('gif', { start_timestamp: 0, duration: 2, fps: 10 }), output: 'a.gif' },
    /\{\\"fps\\":10,\\"start\\":0,\\"length\\":2\}/,
  ),
  conversion({ ...preset('poster', { timestamp: '00:00:01' }), output: 'a.jpg' }, /\{\\"at\\":\\"00:00:01\\"\}/),
  conversion({ ...preset('frames', { fps: 2 }), output: 'f-%03d.jpg' }, /\{\\"every\\":0\.5\}/),
  conversion({ ...preset('mp3', { bitrate: '192k' }), output: 'a.mp3' }, /quality/),
  conversion({ ...preset('overlay_image', { image_path: 'logo.png', position: 'top_right' }) }, /watermark/),
  conversion(preset('watermark', { logo: 'logo.png', position: 'bottom_right' }), /bottom-right/),
  conversion(
    preset('text-overlay', { text: 'A', position: 'center', font_size: 48 }),
    /\\"place\\":\\"centre\\",\\"size\\":48/,
  ),
  conversion(
    preset('add_subtitles', { subtitle_path: 'a.srt', font_size: 32 }),
    /"fix":"Send [^.]*(?:burn|soft)-subtitles/,
  ),
];

/** Arguments of other servers for the other tools. */
const OTHERS: readonly Mistake[] = [
  mistake('probe_media', { file_path: 'film.mp4' }, /Send \\"input\\"/),
  mistake('get_job', { job_id: '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10' }, /Send \\"jobId\\"/),
  mistake('wait_for_job', { jobId: '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10', timeout: 60 }, /timeoutSeconds/),
  mistake('render_preview', { file_path: 'film.mp4', timestamp: 1 }, /Send \\"input\\".*Send \\"at\\"/),
  mistake('analyze_media', { ...file, measure: ['scene_changes'] }, /Send \\"scenes\\"/),
  mistake('list_jobs', { status: 'done' }, /COMPLETED/),
];

/** Options of other programs and services in "parameters". */
const PARAMETERS: readonly Mistake[] = [
  // HandBrake.
  conversion(
    { parameters: { encoder: 'x264', quality: '24', optimize: '', audio: '1', aencoder: 'av_aac' } },
    /"corrected":\{.*"c:v":"libx264","crf":"24","movflags":"\+faststart","map":\["0:v","0:a:0\?"\],"c:a":"aac"/,
  ),
  conversion(
    {
      input: 'more/german.mkv',
      output: 'o.mkv',
      parameters: { 'all-subtitles': '', 'audio-lang-list': 'deu', encoder: 'x265', quality: '26' },
    },
    /"corrected":\{.*"map":\["0:v","0:s\?","0:a:m:language:deu"\],"c:v":"libx265","crf":"26"/,
  ),
  // The encoder says what a quality is.
  conversion(
    { output: 'o.mov', parameters: { quality: '80', videocodec: 'mjpeg' } },
    /"corrected":\{.*"q:v":"\d"/,
    /crf/,
  ),
  conversion({ parameters: { audio: '2' } }, /Audio streams count from 0: send \\"map\\": \[\\"0:v\\",\\"0:a:1\\"\]/),
  // MediaConvert.
  conversion(
    {
      parameters: {
        VideoDescription: {
          CodecSettings: { Codec: 'H_265', H265Settings: { RateControlMode: 'QVBR', MaxBitrate: 3e6 } },
        },
        AudioDescriptions: [{ CodecSettings: { Codec: 'AAC', AacSettings: { CodingMode: 'CODING_MODE_1_0' } } }],
      },
    },
    /"corrected":\{.*"parameters":\{"c:v":"libx265","maxrate":"3000000","c:a":"aac","ac":"1","bufsize":"6000000"/,
    /RateControlMode\\":/,
  ),
  conversion(
    {
      output: 'o/a.mpd',
      parameters: {
        OutputGroupSettings: { Type: 'DASH_ISO_GROUP_SETTINGS', DashIsoGroupSettings: { SegmentLength: 6 } },
        VideoDescription: { CodecSettings: { H264Settings: { Bitrate: 900_000, RateControlMode: 'CBR' } } },
      },
    },
    /"corrected":\{.*"parameters":\{"seg_duration":"6","b:v":"900000","minrate":"900000","maxrate":"900000","bufsize":"900000"\}/,
  ),
  // Cloudinary.
  // ImageMagick.
  conversion({ output: 'o.jpg', parameters: { extent: '90x60' } }, /crop=90:60.*pad=90:60/),
  // Transloadit.
  conversion(
    {
      output: 'o.png',
      parameters: { robot: '/video/thumbs', count: 1, offsets: [2], height: 60, resize_strategy: 'fit' },
    },
    /"corrected":\{.*"parameters":\{"frames:v":"1","ss":"2","vf":"scale=-2:60"\}/,
  ),
  conversion(
    { output: 'o-%d.png', parameters: { count: 5 } },
    /For 5 images over the whole video, send \\"vf\\": \\"fps=5\/SECONDS/,
  ),
  // MoviePy.
  conversion({ output: 'o.mp3', parameters: { audio_fadeout: 2 } }, /send \\"af\\": \\"afade=t=out:st=START:d=2/),
  // sox.
  conversion(
    { output: 'o.wav', parameters: { silence: '1 0.2 2%' } },
    /silenceremove=start_periods=1:start_duration=0\.2:start_threshold=2\/100/,
  ),
  // yt-dlp, and a container of HandBrake.
  conversion(
    { output: 'o.mp3', format: 'bestaudio[language=deu]/best' },
    /selects streams; it is not a container.*\\"map\\": \\"0:a:m:language:deu\\"/,
  ),
  conversion(
    { output: 'o.mp4', format: 'bestvideo+bestaudio' },
    /"corrected":\{"input":"film\.mp4","output":"o\.mp4","dryRun":true\}/,
  ),
  conversion({ output: 'o.mkv', format: 'av_mkv' }, /"corrected":\{.*"format":"mkv"/),
  // What has no effect does not stay in the corrected call, and a container holds its codec.
  conversion({ parameters: { 'c:v': 'libx264', preset: 'p5', cq: '24' } }, /"corrected":\{.*"crf":"24"/),
  conversion(
    { parameters: { 'c:v': 'prores_ks', 'profile:v': '422lt', an: '' } },
    /"corrected":\{.*"output":"out\.mov".*"profile:v":"lt"/,
  ),
  conversion(
    { input: 'more/anim.gif', parameters: { loop: '4' } },
    /Send \\"stream_loop\\": \\"3\\", or send \\"stream_loop\\": \\"4\\"/,
  ),
  conversion(
    { input: undefined, inputs: ['film.mp4', 'photo.png'], parameters: { vf: 'overlay=5:5' } },
    /"corrected":\{.*"filter_complex":"\[0:v\]\[1:v\]overlay=5:5\[v\]","map":\["\[v\]","0:a\?"\]/,
  ),
  // ffprobe.
  mistake(
    'probe_media',
    { input: 'film.mp4', parameters: { v: 'quiet', show_streams: '' } },
    /Leave it out: a probe always shows the container and all streams/,
    /Send \\"f\\"/,
  ),
  mistake('describe_capabilities', { kind: 'options', of: 'libx264', name: '-tune' }, /"tune"/, /leading dash/),
];

export const OTHER_SERVERS: readonly Mistake[] = [...TOOLS, ...ARGUMENTS, ...RECIPES, ...PARAMETERS, ...OTHERS];
