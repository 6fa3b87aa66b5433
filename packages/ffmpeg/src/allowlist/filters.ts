import { wordSet } from './words.ts';

/**
 * The allowed filters, reviewed one by one (libavfilter 5.1 to 8). They process only the frames that they receive, and read files and
 * evaluate expressions only through the options in `filter-files.ts` and `filter-text.ts`. Filters that open files, sockets or devices, run
 * commands, load code or sleep are missing.
 */
export const FILTERS = wordSet(
  'a3dscope aap abitscope acompressor acontrast acopy acrossfade acrossover acrusher acue addroi adeclick ' +
    'adeclip adecorrelate adelay adenorm aderivative adrawgraph adrc adynamicequalizer adynamicsmooth aecho ' +
    'aemphasis aeval aevalsrc aexciter afade afftdn afftfilt afifo afir afirsrc aformat afreqshift afwtdn ' +
    'agate ahistogram aiir aintegral ainterleave alatency alimiter allpass allrgb allyuv aloop alphaextract ' +
    'alphamerge amerge ametadata amix amplify amultiply anequalizer anlmdn anlmf anlms anoisesrc anull ' +
    'anullsink anullsrc apad aperms aphasemeter aphaser aphaseshift apsnr apsyclip apulsator aresample ' +
    'areverse arls arnndn asdr asegment aselect asetnsamples asetpts asetrate asettb ashowinfo asidedata ' +
    'asisdr asoftclip aspectralstats asplit ass astats astreamselect asubboost asubcut asupercut asuperpass ' +
    'asuperstop atadenoise atempo atilt atrim avectorscope avgblur avsynctest axcorrelate backgroundkey ' +
    'bandpass bandreject bass bbox bilateral biquad bitplanenoise blackdetect blackframe blend blockdetect ' +
    'blurdetect bm3d boxblur bs2b bwdif cas ccrepack cellauto channelmap channelsplit chorus chromahold ' +
    'chromakey chromanr chromashift ciescope codecview color colorbalance colorchannelmixer colorchart ' +
    'colorcontrast colorcorrect colordetect colorhold colorize colorkey colorlevels colormap colormatrix ' +
    'colorspace colorspectrum colortemperature compand compensationdelay concat convolution convolve copy corr ' +
    'cover_rect crop cropdetect crossfeed crystalizer cue curves datascope dblur dcshift dctdnoiz deband ' +
    'deblock decimate deconvolve dedot deesser deflate deflicker dejudder delogo deshake despill detelecine ' +
    'dialoguenhance dilation displace doubleweave drawbox drawgraph drawgrid drawtext drmeter dynaudnorm ' +
    'earwax ebur128 edgedetect elbg entropy epx eq equalizer erosion estdif exposure extractplanes extrastereo ' +
    'fade feedback fftdnoiz fftfilt field fieldhint fieldmatch fieldorder fifo fillborders find_rect flite ' +
    'firequalizer flanger floodfill format fps framepack framerate framestep freezedetect freezeframes fspp ' +
    'gblur geq gradfun gradients grayworld greyedge guided haas haldclut haldclutsrc hdcd headphone hflip ' +
    'highpass highshelf hilbert histeq histogram hqdn3d hqx hstack hsvhold hsvkey hue huesaturation hysteresis ' +
    'identity idet il inflate interlace interleave join kerndeint kirsch lagfun latency lenscorrection life ' +
    'limitdiff limiter loop loudnorm lowpass lowshelf lumakey lut lut1d lut2 lut3d lutrgb lutyuv mandelbrot ' +
    'maskedclamp maskedmax maskedmerge maskedmin maskedthreshold maskfun mcompand median mergeplanes mestimate ' +
    'metadata midequalizer minterpolate mix monochrome morpho mpdecimate mptestsrc msad multiply negate ' +
    'nlmeans nnedi noformat noise normalize null nullsink nullsrc oscilloscope overlay owdenoise pad ' +
    'pal100bars pal75bars palettegen paletteuse pan perlin perms perspective phase photosensitivity ' +
    'pixdesctest pixelize pixscope pp pp7 premultiply prewitt pseudocolor psnr pullup qp random readeia608 ' +
    'readvitc remap removegrain removelogo repeatfields replaygain reverse rgbashift rgbtestsrc roberts rotate ' +
    'rubberband sab scale scale2ref scdet scharr scroll segment select selectivecolor separatefields setdar ' +
    'setfield setparams setpts setrange setsar settb shear showcqt showcwt showfreqs showinfo showpalette ' +
    'showspatial showspectrum showspectrumpic showvolume showwaves showwavespic shuffleframes shufflepixels ' +
    'shuffleplanes sidechaincompress sidechaingate sidedata sierpinski signalstats silencedetect silenceremove ' +
    'sinc sine siti smartblur smptebars smptehdbars sobel sofalizer spectrumsynth speechnorm split spp ssim ' +
    'ssim360 stereo3d stereotools stereowiden streamselect subtitles super2xsai superequalizer surround ' +
    'swaprect swapuv tblend telecine testsrc testsrc2 thistogram threshold thumbnail tile tiltandshift ' +
    'tiltshelf tinterlace tlut2 tmedian tmidequalizer tmix tonemap tpad transpose treble tremolo trim ' +
    'unpremultiply unsharp untile v360 vaguedenoiser varblur vectorscope vflip vfrdet vibrance vibrato vidstabdetect ' +
    'vidstabtransform vif vignette virtualbass vmafmotion volume volumedetect vstack w3fdif waveform weave xbr xcorrelate xfade ' +
    'xmedian xpsnr xstack yadif yaepblur yuvtestsrc zoneplate zoompan zscale',
);

/** Filters that clients often send, but that are not allowed, and why: the end of a sentence. */
export const REJECTED_FILTERS: ReadonlyMap<string, string> = new Map([
  ...each('movie amovie', 'opens files itself (a file is one of "inputs", with a label such as [1:v])'),
  ...each('sendcmd asendcmd', 'changes other filters while they run ("enable" and expressions of "t" do so)'),
  ...each('zmq azmq', 'listens for commands'),
  ...each('ladspa lv2 frei0r frei0r_src', 'loads code'),
  ...each('realtime arealtime', 'slows the conversion down'),
  ...each('bench abench', 'only measures how long other filters take'),
  ...each('hwmap', 'opens hardware devices ("hwupload" and "hwdownload" do not)'),
  ...each('buffer abuffer buffersink abuffersink', 'is reserved for ffmpeg itself'),
  ...each('asr', 'reads files of the host'),
  ...each('whisper', 'reads a model and writes a file by their paths (the recipe "captions-from-speech" does not)'),
]);

function each(names: string, why: string): [string, string][] {
  return names.split(' ').map((name) => [name, why]);
}
