import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { wordPairs } from './words.ts';

/** Demuxers that ffmpeg may choose by the content of a file. They read only the input file itself. */
const PROBED = [
  // Containers and streams of video.
  'mov,matroska,webm,avi,mpegts,mpeg,flv,kux,asf,asf_o,rm,ivr,mxf,gxf,lxf,nut,nuv,nsv,dv,ivf,ifv,obu,av1,m4v,h261,h263,h264,hevc,vvc,evc',
  'vc1,vc1test,avs,avs2,avs3,cavsvideo,dirac,dnxhd,mpegvideo,mjpeg,mjpeg_2000,mpjpeg,ipu,yuv4mpegpipe,swf,wtv,ty,pva,pmp,vivo,vividas',
  'smjpeg,mtv,mods,moflex,mm,mvi,mv,lmlm4,luodat,lvf,msnwctcp,iv8,ipmovie,dhav,dxa,r3d,cine,ser,nc,sdr2,mxg,cdg,simbiosis_imx,usm,pdv,filmstrip,film_cpk',
  // Video of games.
  '3dostr,4xm,anm,bethsoftvid,bfi,bink,bmv,c93,cdxl,dfa,dsicin,ea,ea_cdata,flic,frm,gdv,hnm,idcin,jv,mgsts,paf,psxstr,rl2,roq,rpl',
  'siff,smk,smush,thp,tiertexseq,tmv,txd,vmd,wc3movie,wsvqa,xmv,yop,argo_brp,argo_cvg,sga',
  // Audio.
  'ogg,wav,mp3,flac,aac,loas,ac3,eac3,ac4,dts,dtshd,truehd,mlp,aiff,au,caf,amr,w64,wv,ape,tta,tak,mpc,mpc8,voc,oma,dsf,iff,wsd,shn,vqf',
  'aa,aax,ace,acm,act,adp,ads,adx,aea,afc,aix,alp,apac,apc,apm,argo_asf,ast,avr,bfstm,binka,bit,boa,bonk,brstm,codec2,daud,dcstr,derf',
  'dss,epaf,fsb,fwse,genh,g729,hca,hcom,iamf,ilbc,ircam,iss,kvag,laf,lc3,libopenmpt,mca,mmf,msf,msp,mtaf,musx,nistsphere,nsp,osq,pp_bnk',
  'pvf,qcp,qoa,redspark,rka,rsd,rso,s337m,scd,sdns,sds,sdx,sol,sox,spdif,svag,svs,vag,vpk,wady,wavarc,wsaud,wve,xa,xmd,xvag,xwma',
  // Images.
  'gif,apng,ico,image2,png_pipe,jpeg_pipe,jpegls_pipe,jpegxl_pipe,jpegxl_anim,j2k_pipe,webp_pipe,bmp_pipe,tiff_pipe,exr_pipe,dpx_pipe,cri_pipe',
  'pam_pipe,pbm_pipe,pfm_pipe,pgm_pipe,pgmyuv_pipe,pgx_pipe,ppm_pipe,phm_pipe,pcx_pipe,psd_pipe,photocd_pipe,pictor_pipe,qdraw_pipe,qoi_pipe',
  'sgi_pipe,sunrast_pipe,xbm_pipe,xpm_pipe,xwd_pipe,dds_pipe,hdr_pipe,vbn_pipe,gem_pipe,gif_pipe,alias_pix,brender_pix,fits',
  // Subtitles, captions and tags.
  'srt,ass,webvtt,microdvd,subviewer,subviewer1,sami,mpl2,mpsub,lrc,ttml,scc,mcc,rcwt,sup,jacosub,stl,pjs,aqtitle,realtext,dvbsub,dvbtxt,tedcaptions,ffmetadata',
].join(',');

/** Demuxers for data without a header. ffmpeg uses one only if the input has the option `"f"`. */
const RAW =
  'rawvideo,s8,s16le,s16be,s24le,s24be,s32le,s32be,u8,u16le,u16be,u24le,u24be,u32le,u32be,f32le,f32be,f64le,f64be,' +
  'alaw,mulaw,vidc,sln,g722,g723_1,g726,g726le,sbc,gsm,aptx,aptx_hd,dfpwm,codec2raw,v210,v210x,bitpacked';

/** Demuxers that no input may use, by the reason. `ffmpeg -demuxers` has no others. */
export const OTHER_FORMATS = {
  /** They open other files and URLs, which the input names. */
  playlist: 'hls,dash,concat,imf,webm_dash_manifest,vobsub,mlv,svg_pipe',
  network: 'rtp,rtsp,sap,sdp,live_flv',
  device:
    'alsa,android_camera,avfoundation,bktr,decklink,dshow,dvdvideo,fbdev,gdigrab,iec61883,jack,kmsgrab,libcdio,libdc1394,openal,oss,pulse,sndio,' +
    'vfwcap,video4linux2,x11grab,xcbgrab',
  /** They run a program that the input is, or that makes it. */
  script: 'lavfi,sbg,libgme,avisynth,vapoursynth',
  /** They take data of any kind for media, or read what ffmpeg reads with another demuxer. */
  unclear: 'adf,amrnb,amrwb,bin,data,idf,image2pipe,ingenient,mpegtsraw,tty,vplayer,xbin',
} as const;

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

/**
 * The error for an input with the extension of an SVG drawing. undefined: another extension.
 *
 * @param fileExtension In lower case, without the dot.
 */
export const drawingError = (fileExtension: string): Omit<FieldError, 'field'> | undefined =>
  EXTENSIONS.has(fileExtension)
    ? {
        code: 'UNSUPPORTED_FORMAT',
        message: `SVG drawings (".${fileExtension}") are not supported. Images such as PNG are.`,
      }
    : undefined;

/** The error for a decoder that reads SVG drawings. undefined: another decoder. */
export const drawingDecoderError = (name: string): Omit<FieldError, 'field'> | undefined =>
  DECODERS.has(name)
    ? {
        code: 'OPTION_NOT_ALLOWED',
        message: `The decoder "${name}" reads SVG drawings, which are not supported.`,
      }
    : undefined;
