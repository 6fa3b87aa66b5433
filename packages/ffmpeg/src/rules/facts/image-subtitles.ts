const CODECS = /^(?:hdmv_pgs_subtitle|pgssub|dvd_subtitle|dvdsub|dvb_subtitle|dvbsub|xsub)$/;

/** True for the codecs of subtitles that are images, which ffmpeg cannot convert to text. */
export const isImageSubtitle = (codec: string): boolean => CODECS.test(codec);
