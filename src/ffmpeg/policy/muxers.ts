/** Muxers that send over the network, open devices, nest others, or leave no file. */
export const REFUSED_MUXERS: ReadonlySet<string> = new Set(
  (
    'alsa audiotoolbox caca decklink fbdev opengl oss pulse sdl sdl2 sndio v4l2 video4linux2 xv chromaprint ' +
    'rtp rtp_mpegts rtsp sap whip tee fifo fifo_test hds smoothstreaming webm_chunk stream_segment ssegment ' +
    'data uncodedframecrc image2pipe null'
  ).split(' '),
);
