/** What ffmpeg makes before a command runs. A number is a length in seconds. */
export interface Made {
  readonly kind: 'film' | 'mute' | 'sound' | 'picture' | 'subtitles';
  readonly seconds?: number;
  readonly size?: string;
  readonly rate?: number;
}

export interface ForumCommand {
  /** The question from which the command is: a site or a repository, and a number. */
  readonly from: string;
  /** As it was posted. Only the folders of people's own machines are left out. */
  readonly command: string | readonly string[];
  /** The inputs that the command names. */
  readonly files: Readonly<Record<string, Made>>;
  /** What is rejected, as a part of the message. Absent: the command is read. */
  readonly rejected?: string;
  /** The length that the command asks for, where ffmpeg 5.1 makes another. */
  readonly seconds?: number;
}

const film = (more: Omit<Made, 'kind'> = {}): Made => ({ kind: 'film', ...more });
const mute = (more: Omit<Made, 'kind'> = {}): Made => ({ kind: 'mute', ...more });
const sound = (seconds = 3): Made => ({ kind: 'sound', seconds });
const picture = (size = '96x64'): Made => ({ kind: 'picture', size });
const subtitles: Made = { kind: 'subtitles' };
const pictures = (names: readonly string[], size?: string) =>
  Object.fromEntries(names.map((name) => [name, picture(size)]));

/** Commands of 60 public questions about ffmpeg. They were collected before the reader was tried on any of them. */
export const FORUM_COMMANDS: readonly ForumCommand[] = [
  {
    from: 'superuser 566998',
    command: `ffmpeg -i input.mp4 -filter:v "scale='min(1280,iw)':min'(720,ih)':force_original_aspect_ratio=decrease,pad=1280:720:(ow-iw)/2:(oh-ih)/2" output.mp4`,
    files: { 'input.mp4': film({ seconds: 1 }) },
  },
  {
    from: 'stackoverflow 30789367',
    command: String.raw`ffmpeg -i input.mp4 -lavfi '[0:v]scale=ih*16/9:-1,boxblur=luma_radius=min(h\,w)/20:luma_power=1:chroma_radius=min(cw\,ch)/20:chroma_power=1[bg];[bg][0:v]overlay=(W-w)/2:(H-h)/2,crop=h=iw*9/16' -vb 800K output.webm`,
    files: { 'input.mp4': film({ size: '72x128', seconds: 1 }) },
  },
  {
    from: 'stackoverflow 30789367, answer 2',
    command: `ffmpeg -i input.mp4 -vf 'split [original][copy]; [copy] crop=ih*9/16:ih:iw/2-ow/2:0, scale=1280:2282, gblur=sigma=20[blurred]; [blurred][original]overlay=(main_w-overlay_w)/2:(main_h-overlay_h)/2' output.mp4`,
    files: { 'input.mp4': film({ size: '1280x720', seconds: 1, rate: 4 }) },
  },
  {
    from: 'superuser 538112',
    command: String.raw`ffmpeg -ss 3 -i input.mp4 -vf "select=gt(scene\,0.4)" -frames:v 5 -vsync vfr -vf fps=fps=1/600 out%02d.jpg`,
    files: { 'input.mp4': film({ seconds: 340, rate: 2 }) },
  },
  {
    from: 'superuser 1336285',
    command: 'ffmpeg -i in.mp4 -vf thumbnail=n=100 -vsync 0 -frame_pts 1 out%d.png',
    files: { 'in.mp4': film({ seconds: 25 }) },
  },
  {
    from: 'stackoverflow 63553906',
    command: String.raw`ffmpeg -i v0.mp4 -i v1.mp4 -i v2.mp4 -i v3.mp4 -i v4.mp4 -filter_complex \
"[0][1:v]xfade=transition=fade:duration=1:offset=3[vfade1]; \
 [vfade1][2:v]xfade=transition=fade:duration=1:offset=10[vfade2]; \
 [vfade2][3:v]xfade=transition=fade:duration=1:offset=21[vfade3]; \
 [vfade3][4:v]xfade=transition=fade:duration=1:offset=25,format=yuv420p; \
 [0:a][1:a]acrossfade=d=1[afade1]; \
 [afade1][2:a]acrossfade=d=1[afade2]; \
 [afade2][3:a]acrossfade=d=1[afade3]; \
 [afade3][4:a]acrossfade=d=1" \
-movflags +faststart out.mp4`,
    files: {
      'v0.mp4': film({ seconds: 4 }),
      'v1.mp4': film({ seconds: 8 }),
      'v2.mp4': film({ seconds: 12 }),
      'v3.mp4': film({ seconds: 5 }),
      'v4.mp4': film({ seconds: 3 }),
    },
  },
  {
    from: 'stackoverflow 13824045',
    command:
      'ffmpeg -y -framerate 1/3.79 -start_number 1 -i ./swissGenevaLake_%d.jpg -i ./akib.mp3 -c:v libx264 -r 25 -pix_fmt yuv420p -c:a aac -strict experimental -shortest output.mp4',
    files: {
      ...pictures(['swissGenevaLake_1.jpg', 'swissGenevaLake_2.jpg', 'swissGenevaLake_3.jpg']),
      'akib.mp3': sound(11),
    },
  },
  {
    from: 'linuxquestions 656201',
    command:
      'ffmpeg -loop 1 -f image2 -i img.jpg -i audio.wav -c:v libx264 -c:a aac -strict experimental -b:a 192k -shortest out.mp4',
    files: { 'img.jpg': picture(), 'audio.wav': sound(4) },
    // With -shortest, ffmpeg 5.1 shows a looped picture for two seconds more than its audio.
    seconds: 4,
  },
  {
    from: 'fluent-ffmpeg 1057',
    command: `ffmpeg -ss 605.710639 -i input.mp4 -i preRoll.png -y -filter_complex "[1:v]scale=-1:720[scaled],[0:v][scaled]overlay=(main_w-overlay_w)/2:(main_h-overlay_h)/2:enable='between(t,0,5)'" -t 243 -c:a copy -c:v libx264 -preset veryfast "outputFile.mp4"`,
    files: { 'input.mp4': film({ seconds: 620, rate: 2 }), 'preRoll.png': picture() },
  },
  {
    from: 'fluent-ffmpeg 423',
    command:
      'ffmpeg -ss 0 -i ./tmp/test.mp4 -i ./images/logo.png -y -filter_complex overlay=x=W-w-10:y=H-h-10[output] -map [output] -vcodec libx264 -r 15 -f mp4 -t 5 ./tmp/testout.mp4',
    files: { 'tmp/test.mp4': film({ seconds: 6 }), 'images/logo.png': picture('32x32') },
  },
  {
    from: 'ffmpeg.wasm 120',
    command: `ffmpeg -i big_buck_bunny_720p_5mb.mp4 -i Forum.jpg -filter_complex "[0:v][1:v]overlay=25:25:enable='between(t,0,20)'"  -pix_fmt yuv420p -c:a copy output.mp4`,
    files: { 'big_buck_bunny_720p_5mb.mp4': film(), 'Forum.jpg': picture('32x32') },
  },
  {
    from: 'flutter-ffmpeg 32',
    command: [
      ...['-i', 'moved_video.mp4', '-i', 'moved_audio.mp3', '-filter_complex', '[0:a][1:a]amerge=inputs=2[a]'],
      ...['-map', '0:v', '-map', '[a]', '-c:v', 'copy', '-c:a', 'aac', '-strict', 'experimental', '-b:a', '192k'],
      ...['-ac', '2', '-shortest', 'result.mp4'],
    ],
    files: { 'moved_video.mp4': film(), 'moved_audio.mp3': sound(4) },
  },
  {
    from: 'ffmpeg-script-generator 1',
    command: String.raw`ffmpeg \
-vsync 0 \
-i "F2.AVI" \
-i "F3.AVI" \
-filter_complex \
"[0]settb=AVTB[0:v]; \
[1]settb=AVTB[1:v]; \
[0:v][1:v]xfade=transition=fade:duration=1:offset=9,format=yuv420p[video]" \
-b:v 10M \
-map "[video]" "out.mp4"`,
    files: { 'F2.AVI': film({ seconds: 10 }), 'F3.AVI': film({ seconds: 4 }) },
  },
  {
    from: 'react-native-ffmpeg 175',
    command: '-i input.mp4 -t 30 -acodec copy -vcodec copy output.mp4',
    files: { 'input.mp4': film({ seconds: 35, rate: 4 }) },
  },
  {
    from: 'ffmpeg-kit 61',
    command: 'ffmpeg -i input.mp4 -ss "00:00:04" -t 240 -preset ultrafast -threads 3 -async 1 output.mp4',
    files: { 'input.mp4': film({ seconds: 8 }) },
    rejected: '"async" is not allowed',
  },
  {
    from: 'ffshare 13',
    command: 'ffmpeg -i i.m4a -c:v copy -c:a libmp3lame -q:a 4 o.mp3',
    files: { 'i.m4a': sound() },
  },
  {
    from: 'ffmpeg-kit 102',
    command: 'ffmpeg -y -i movie.mp4 -ss 00:00:00.400 -to 00:00:47 -preset ultrafast -c:v copy -c:a copy cut.mp4',
    files: { 'movie.mp4': film({ seconds: 50, rate: 4 }) },
  },
  {
    from: 'ffmpeg-kit 815',
    command: '-i input.mp4 -ss 00:05:20 -t 00:10:00 -c:v copy -c:a copy output1.mp4',
    files: { 'input.mp4': film({ seconds: 340, rate: 2 }) },
  },
  {
    from: 'ffmpeg-python 527',
    command:
      'ffmpeg -i video.mp4 -i music.mp3 -filter_complex amix -map 0:v -map 0:a -map 1:a -shortest -c:v copy output.mp4',
    files: { 'video.mp4': film(), 'music.mp3': sound(5) },
  },
  {
    from: 'fluent-ffmpeg 1166',
    command:
      'ffmpeg -y -i input1.mp3 -i input2.mp3 -filter_complex "[0:0][1:0] amix=inputs=2:duration=shortest" -c:a libmp3lame output.mp3',
    files: { 'input1.mp3': sound(3), 'input2.mp3': sound(5) },
  },
  {
    from: 'ffmpeg-libav-tutorial 65',
    command: 'ffmpeg -i "video.mp4" -i "audio.mp4" -codec copy -shortest output.mp4',
    files: { 'video.mp4': mute(), 'audio.mp4': sound(5) },
  },
  {
    from: 'fluent-ffmpeg 1049',
    command: String.raw`ffmpeg -i ./1.mp4 -i \
./2.mp4 -filter_complex "[0:a][1:a]amerge=inputs=2[a]" -map 0:v -map "[a]" -c:v copy -c:a aac -ac 2 -shortest ./output.mp4`,
    files: { '1.mp4': film(), '2.mp4': film({ seconds: 4 }) },
  },
  {
    from: 'PyAV 810',
    command: 'ffmpeg -i video.mp4 -i audio.wav -map 0:v -map 1:a -c:v copy -shortest output.mp4',
    files: { 'video.mp4': film(), 'audio.wav': sound(2) },
  },
  {
    from: 'ffmpeg-python 303',
    command: String.raw`ffmpeg -f lavfi -i anullsrc=channel_layout=stereo:sample_rate=44100 -i video.mov \
  -shortest -c:v copy -c:a aac output.mov`,
    files: { 'video.mov': mute() },
  },
  {
    from: 'PHP-FFMpeg 624',
    command:
      'ffmpeg -i video.mp4 -f lavfi -i anullsrc=channel_layout=stereo:sample_rate=44100 -strict -2 -c:v copy -shortest video_with_silent.mp4',
    files: { 'video.mp4': mute() },
  },
  {
    from: 'fluent-ffmpeg 557',
    command: 'ffmpeg -f lavfi -i color=black:s=640x480:r=25 -an -t 10.00 empty.mp4',
    files: {},
  },
  {
    from: 'fluent-ffmpeg 974',
    command: 'ffmpeg -f lavfi -i anullsrc=r=16000 -t 60 -acodec pcm_s16le out.wav',
    files: {},
  },
  {
    from: 'FFmpeg.NET 57',
    command: String.raw`C:\Videos>ffmpeg -stream_loop 60 -i Second1.mp4 -c copy Minute1.mp4`,
    files: { 'Second1.mp4': film({ seconds: 1 }) },
  },
  {
    from: 'fluent-ffmpeg 78',
    command: 'ffmpeg -loop 1 -i videoimage.jpg -i audio.mp3 -t 00:06:46.81 video.mp4',
    files: { 'videoimage.jpg': picture('32x16'), 'audio.mp3': sound(407) },
  },
  {
    from: 'ffmpeg-python 568',
    command: 'ffmpeg -loop 1 -i image.png -t 5 out.mp4',
    files: { 'image.png': picture() },
  },
  {
    from: 'ffmpeg-python 154',
    command: 'ffmpeg -i input.mp4 -c:v libx264 -c:a aac -strict -2 -f hls -hls_list_size 0 -hls_time 5 output.m3u8',
    files: { 'input.mp4': film({ seconds: 11, rate: 25 }) },
  },
  {
    from: 'NextcloudVideo_Converter 48',
    command:
      'ffmpeg -i video.mp4 -c:v copy -c:a copy -f hls -hls_time 9 -hls_playlist_type vod -hls_segment_filename "video%3d.ts" video.m3u8',
    files: { 'video.mp4': film({ seconds: 20, rate: 4 }) },
  },
  {
    from: 'PHP-FFmpeg-video-streaming 60',
    command: `ffmpeg -threads 0 -i test.mp4 -r 24 -g 48 -keyint_min 48 -sc_threshold 0 -c:v libx264^
 -s:v:0 1920x1080 -b:v:0 5200k -maxrate:v:0 5720k -bufsize:v:0 5200k^
 -s:v:1 1280x720 -b:v:1 3100k -maxrate:v:1 3410k -bufsize:v:1 3100k^
 -b:a 128k -ar 44100 -ac 2^
 -map 0:v -map 0:v -map 0:a^
 -f hls -var_stream_map "v:0,agroup:audio v:1,agroup:audio a:0,agroup:audio"^
 -hls_flags single_file -hls_segment_type fmp4 -hls_list_size 0 -hls_time 6  -master_pl_name master.m3u8 -y test%v.m3u8`,
    files: { 'test.mp4': film({ seconds: 1 }) },
  },
  {
    from: 'ffmpeg-python 91',
    command: 'ffmpeg -y -i input.mp4 -vf subtitles=text.ass input_with_subs.mp4',
    files: { 'input.mp4': film(), 'text.ass': subtitles },
  },
  {
    from: 'node-ffmpeg 92',
    command: `ffmpeg -i input.jpg -vf "drawtext=text='Test Text':fontcolor=white:fontsize=75:x=1002:y=100:" output.jpg`,
    files: { 'input.jpg': picture('1600x200') },
  },
  {
    from: 'ffmpy 46',
    command: 'ffmpeg -i input.mp4 -i palette.png -lavfi "paletteuse" output.gif',
    files: { 'input.mp4': film(), 'palette.png': picture('16x16') },
  },
  {
    from: 'DuME 103',
    command: 'ffmpeg -i test.mp4 -lavfi palettegen=stats_mode=full[pal],[0:v][pal]paletteuse test.gif',
    files: { 'test.mp4': film() },
  },
  {
    from: 'ffmpeg-python 460',
    command: String.raw`ffmpeg -i 666051400.mp4 -vf "select=eq(pict_type\,I)"  -vsync vfr -qscale:v 2 -f image2 ./%08d.jpg`,
    files: { '666051400.mp4': film() },
  },
  {
    from: 'jellyscrub 84',
    command: 'ffmpeg -skip_frame nokey -i file -vf scale=320:-1  -qscale:v 10 out%d.jpeg',
    files: { file: film() },
  },
  {
    from: 'lintel 23',
    command: 'ffmpeg -v quiet -skip_frame nokey -i video.mp4 -vsync passthrough img_%04d.jpg',
    files: { 'video.mp4': film() },
  },
  {
    from: 'PHP-FFMpeg 450',
    command: 'ffmpeg -i example.mov -r 6 -vf scale=1080:-1 %03d.jpeg',
    files: { 'example.mov': film({ seconds: 2 }) },
  },
  {
    from: 'ffmpeg-php 69',
    command: 'ffmpeg -framerate 3 -pattern_type glob -i "image-*.jpeg" output.mp4',
    files: pictures(['image-a.jpeg', 'image-b.jpeg', 'image-c.jpeg']),
  },
  {
    from: 'react-native-ffmpeg 57',
    command: 'ffmpeg -r 60 -f image2 -s 1920x1080 -i pic%04d.png -vcodec libx264 -crf 25  -pix_fmt yuv420p test.mp4',
    files: pictures(['pic0001.png', 'pic0002.png', 'pic0003.png', 'pic0004.png'], '1920x1080'),
  },
  {
    from: 'ffmpex 35',
    command: "ffmpeg -f image2 -r 24 -pattern_type glob -i '*.jpg' -s 320x240 -c:v libx264 -pix_fmt yuv420p out.mp4",
    files: pictures(['a.jpg', 'b.jpg', 'c.jpg']),
  },
  {
    from: 'fluent-ffmpeg 1206',
    command:
      'ffmpeg -i input1.mp4 -i input2.mp4 -filter_complex "[0:v:0][0:a:0][1:v:0][1:a:0]concat=n=2:v=1:a=1[v][a]" -map "[v]" -map "[a]" output.mp4',
    files: { 'input1.mp4': film(), 'input2.mp4': film({ seconds: 2 }) },
  },
  {
    from: 'mobile-ffmpeg 591',
    command: String.raw`ffmpeg -i input1.mp4 -i input2.webm -i input3.mov \
-filter_complex "[0:v:0][0:a:0][1:v:0][1:a:0][2:v:0][2:a:0]concat=n=3:v=1:a=1[outv][outa]" \
-map "[outv]" -map "[outa]" output.mkv`,
    files: { 'input1.mp4': film(), 'input2.webm': film({ seconds: 1 }), 'input3.mov': film({ seconds: 2 }) },
  },
  {
    from: 'PHP-FFMpeg 745',
    command: 'ffmpeg -i input.mp3 -c:a libopus -ac 1 -b:a 16k out.opus',
    files: { 'input.mp3': sound() },
  },
  {
    from: 'mycroft-precise 186',
    command: '$ ffmpeg -i input.mp3 -acodec pcm_s16le -ar 16000 -ac 1 output.wav',
    files: { 'input.mp3': sound() },
  },
  {
    from: 'FastFlix 592',
    command: 'ffmpeg -i in.webm -c:v libvpx-vp9 -pix_fmt yuva420p -b:v 0 -crf:v 31 -quality:v good out.webm',
    files: { 'in.webm': film({ seconds: 1 }) },
  },
  {
    from: 'ffmpeg-normalize 146',
    command:
      'ffmpeg -i gambler_master.wav -ar 96000 -c:a pcm_s32le -filter_complex "aresample=192000,alimiter=level=false:level_in=3.5dB:limit=-0.0dB:attack=80:release=400" gambler_alimiter3.5-0.wav',
    files: { 'gambler_master.wav': sound() },
  },
  {
    from: 'nzbToMedia 678',
    command:
      'ffmpeg -loglevel warning -report -fflags +genpts -i the.americans.mkv -i the.americans.en.srt -map 0:0 -map 0:1 -map 0:1 -map 1:0 -c:v copy -c:a:0 aac -strict -2 -ac:a:0 2 -b:a:0 160000 -c:a:1 ac3 -c:s mov_text -metadata:s:s:0 "language=en" the.americans.mp4',
    files: { 'the.americans.mkv': film(), 'the.americans.en.srt': subtitles },
  },
  {
    from: 'spectacles-cli 1',
    command:
      'ffmpeg -i video.mp4 -i overlay.png -map 0:a -filter_complex "scale=-2:720[rescaled];[rescaled]crop=ih:ih:iw/4:0[crop];[crop]overlay=(main_w-overlay_w)/2:(main_h-overlay_h)/2" output.mp4',
    files: { 'video.mp4': film({ size: '320x180', seconds: 1 }), 'overlay.png': picture('320x320') },
  },
  {
    from: 'react-native-ffmpeg 195',
    command:
      '-y -i input.mkv -ss 00:00:02.500 -vcodec mpeg4 -acodec aac -qscale:v 5 -q:a 4 -filter:v "hflip" -ac 2 output.mkv',
    files: { 'input.mkv': film({ seconds: 5 }) },
  },
  {
    from: 'ffmpeg-android 89',
    command: '-f concat -safe 0 -i speaker_1_segments.txt -ac 1 -ar 16000 speaker_1.wav',
    files: {},
    rejected: 'join',
  },
  {
    from: 'ffmpeg-kit 565',
    command: String.raw`ffmpeg -y -i input -c:v libx264 -b:v 2600k -pass 1 -an -f null /dev/null && \
ffmpeg -i input -c:v libx264 -b:v 2600k -pass 2 -c:a aac -b:a 128k output.mp4`,
    files: {},
    rejected: '"&&"',
  },
  {
    from: 'frigate 59',
    command: 'ffmpeg -i $INPUT_FILE -vf fps=1/2 $OUTPUT_DIR/half_fps%04d.jpg -hide_banner',
    files: {},
    rejected: '$INPUT_FILE',
  },
  {
    from: 'ffmpeg-cli-wrapper 171',
    command: 'ffmpeg -y -f image2pipe -vcodec mjpeg -r 24 -i - -vcodec mpeg1video -f mpegts -q:v 0 -',
    files: {},
    rejected: '"-"',
  },
  {
    from: 'FFmpeg-Builds 408',
    command: 'ffmpeg -f avfoundation -i 1 -r 30 out.yuv',
    files: {},
    rejected: 'avfoundation',
  },
  {
    from: 'fluent-ffmpeg 252',
    command: `FFMpeg -i input.mp4 -vf "movie=watermark.png [watermark]; [in][watermark] overlay=0:0 [out]" output.mp4`,
    files: { 'input.mp4': film(), 'watermark.png': picture() },
    rejected: 'movie',
  },
  {
    from: 'FFmpegFreeUI 34',
    command:
      'ffmpeg -hide_banner -nostdin -i "Replay 2025-04-14 20-28-15_1.mp4" -c:v hevc_nvenc -preset p7 -r 60 -pass 2 -b:v 8192K -maxrate 20480K -rc-lookahead 3 -vf "scale=-2:1080"  -c:a aac -b:a 128k -ar 48000  "Replay.mp4" -y',
    files: { 'Replay 2025-04-14 20-28-15_1.mp4': film() },
    rejected: 'hevc_nvenc',
  },
];
