import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { wordPairs } from './words.ts';

/** Demuxers that ffmpeg may choose by the content of a file. They read only the input file itself. */
const PROBED =
  'mov,matroska,webm,avi,mpegts,mpeg,flv,ogg,wav,mp3,flac,aac,ac3,eac3,dts,dtshd,truehd,mlp,asf,aiff,au,caf,amr,w64,wv,' +
  'ape,tta,tak,mpc,mpc8,voc,rm,mxf,gxf,nut,dv,ivf,obu,av1,m4v,h261,h263,h264,hevc,vvc,vc1,mpegvideo,mjpeg,yuv4mpegpipe,swf,' +
  'wtv,smjpeg,bink,gif,apng,ico,image2,png_pipe,jpeg_pipe,jpegls_pipe,jpegxl_pipe,jpegxl_anim,j2k_pipe,webp_pipe,bmp_pipe,' +
  'tiff_pipe,exr_pipe,dpx_pipe,pam_pipe,pbm_pipe,pgm_pipe,pgmyuv_pipe,ppm_pipe,phm_pipe,pcx_pipe,psd_pipe,qoi_pipe,' +
  'sgi_pipe,sunrast_pipe,xbm_pipe,xpm_pipe,xwd_pipe,dds_pipe,hdr_pipe,gif_pipe,' +
  'srt,ass,webvtt,microdvd,subviewer,subviewer1,sami,mpl2,lrc,ttml,scc,sup,jacosub,stl,tedcaptions,ffmetadata';

/** Demuxers for data without a header. ffmpeg uses one only if the input has the option `"f"`. */
const RAW =
  'rawvideo,s8,s16le,s16be,s24le,s24be,s32le,s32be,u8,u16le,u16be,u24le,u24be,u32le,u32be,f32le,f32be,f64le,f64be,' +
  'alaw,mulaw,g722,g726,g726le,sbc,gsm,adp,codec2';

/**
 * The value of `-format_whitelist` for every input. ffmpeg compares it with the format that it found by content, whatever the extension.
 */
export const INPUT_FORMATS = `${PROBED},${RAW}`;

/** Allowed values of `"f"` on an input. */
export const INPUT_FORMAT_NAMES: ReadonlySet<string> = new Set(INPUT_FORMATS.split(','));

/** Other names of formats (printed by ffprobe, or usual extensions), with the name in `INPUT_FORMAT_NAMES`. */
const ALIASES = wordPairs(
  'mp4 mov m4a mov m4b mov 3gp mov 3g2 mov mj2 mov mkv matroska mka matroska ts mpegts m2ts mpegts mpg mpeg ' +
    'wmv asf wma asf adts aac aif aiff vtt webvtt ogv ogg oga ogg opus ogg jpg image2 jpeg image2',
);

/**
 * The demuxer for the value of `"f"` on an input. The value is a demuxer, a usual extension, or all names that ffprobe prints for one
 * demuxer (`matroska,webm`). undefined: the value does not name exactly one allowed demuxer.
 */
export function inputFormatNamed(text: string): string | undefined {
  const names = text.split(',').map((name) => ALIASES.get(name) ?? name);
  const [first = ''] = names;
  const isOne = names.every((name) => name === first || (first === 'matroska' && name === 'webm'));
  return isOne && INPUT_FORMAT_NAMES.has(first) ? first : undefined;
}

/**
 * The extensions of SVG. ffmpeg renders SVG with librsvg, which opens other files that the drawing names. Rejecting the demuxer `svg_pipe`
 * is not enough: `image2` also renders a file with one of these extensions.
 */
const EXTENSIONS: ReadonlySet<string> = new Set(['svg', 'svgz']);
const DECODERS: ReadonlySet<string> = new Set(['librsvg', 'svg']);

const FIX = 'Convert the drawing to PNG first, and send that.';

/**
 * The error for an input with the extension of an SVG drawing. undefined: another extension.
 *
 * @param fileExtension In lower case, without the dot.
 */
export const drawingError = (fileExtension: string): Omit<FieldError, 'field'> | undefined =>
  EXTENSIONS.has(fileExtension)
    ? { code: 'UNSUPPORTED_FORMAT', message: `SVG drawings (".${fileExtension}") are not supported.`, fix: FIX }
    : undefined;

/** The error for a decoder that reads SVG drawings. undefined: another decoder. */
export const drawingDecoderError = (name: string): Omit<FieldError, 'field'> | undefined =>
  DECODERS.has(name)
    ? {
        code: 'OPTION_NOT_ALLOWED',
        message: `The decoder "${name}" reads SVG drawings, which are not supported.`,
        fix: FIX,
      }
    : undefined;
