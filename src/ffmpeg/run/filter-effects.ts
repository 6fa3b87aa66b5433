/** Filters that change the size of the picture, or make another picture of what they read. */
export const RESIZING =
  /^(?:scale|scale2ref|zscale|libplacebo|pad|crop|rotate|transpose|[hvx]stack|tile|untile|zoompan|framepack|stereo3d|overlay|concat|xfade|super2xsai|hqx|xbr|epx|shear|perspective|v360|cropdetect|palettegen|waveform|vectorscope|histogram|weave|doubleweave|tinterlace|separatefields|extractplanes|ciescope|datascope|drawgraph|field|graphmonitor|remap|showpalette|thistogram|(?:scale|overlay|pad|transpose)_\w+|vpp_\w+)$/;

/** Filters that change the channels. */
export const REMIXING =
  /^(?:pan|aformat|channelmap|channelsplit|join|amerge|amix|aresample|surround|headphone|sofalizer|stereotools|acrossfade|concat|crossfeed|extrastereo)$/;

/** Filters that change the frame rate. */
export const RATES =
  /^(?:fps|framerate|minterpolate|setpts|settb|select|decimate|framestep|telecine|concat|loop|tinterlace|bwdif|yadif|thumbnail|tile|zoompan)$/;

/** Filters that change when frames are shown, or how many there are. */
export const TIMES =
  /^(?:a?setpts|asetrate|atempo|rubberband|a?trim|a?select|a?loop|a?pad|tpad|apad|adelay|concat|xfade|acrossfade|decimate|framestep|silenceremove|a?reverse|telecine|minterpolate|tile|thumbnail|a?segment|showwaves|showspectrum|showcqt|settb|asettb|palettegen)$/;
