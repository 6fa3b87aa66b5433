import { wordSet } from './words.ts';

const SCALED = 'iw in_w ih in_h ow out_w oh out_h a sar dar hsub vsub';
const TIMED = 'n t pos';
const MAIN = 'main_w main_h main_a main_sar main_dar mdar main_hsub main_vsub main_n main_t main_pos';
const REFERENCE = 'ref_w rw ref_h rh ref_a ref_sar ref_dar rdar ref_hsub ref_vsub ref_n ref_t ref_pos';
const GLYPHS = 'line_h lh ascent max_glyph_a descent max_glyph_d max_glyph_h max_glyph_w font_a font_d top_a bottom_d';

const DRAWN = wordSet('dar hsub vsub ih in_h iw in_w sar x y h w t fill');
const SCALING = wordSet(`${SCALED} ohsub ovsub ${TIMED} ${MAIN} ${REFERENCE}`);

/** Only filters with few names, which their manual lists completely. */
const ROWS: Readonly<Record<string, ReadonlySet<string>>> = {
  addroi: wordSet('iw ih'),
  crop: wordSet(`${SCALED} x y ${TIMED}`),
  delogo: wordSet('x y w h n t'),
  drawbox: DRAWN,
  drawgrid: DRAWN,
  drawtext: wordSet(
    `w main_w W h main_h H tw text_w th text_h x y n t dar sar hsub vsub ${GLYPHS} pict_type pkt_pos pkt_duration pkt_size duration`,
  ),
  eq: wordSet('n pos r t'),
  fps: wordSet('source_fps ntsc pal film ntsc_film'),
  hue: wordSet('n pts r t tb'),
  overlay: wordSet(`W main_w H main_h w overlay_w h overlay_h hsub vsub x y ${TIMED}`),
  pad: wordSet(`${SCALED} x y`),
  perspective: wordSet('W H in on'),
  rotate: wordSet('iw in_w ih in_h ow out_w oh out_h hsub vsub n t'),
  scale: SCALING,
  scale2ref: SCALING,
  vignette: wordSet('w h n pts r t tb'),
  volume: wordSet('n nb_channels nb_consumed_samples nb_samples pos pts sample_rate startpts startt t tb volume'),
  zoompan: wordSet(
    'iw in_w ih in_h ow out_w oh out_h in on duration pduration it in_time time out_time ot frame zoom pzoom x px y py a sar dar hsub vsub',
  ),
  zscale: wordSet(`${SCALED} ohsub ovsub`),
};

/** The names that an expression of a filter may contain, in ffmpeg 5.1 to 9.0. undefined: no row, so only ffmpeg checks the names. */
export const expressionNames = (filter: string): ReadonlySet<string> | undefined =>
  Object.hasOwn(ROWS, filter) ? ROWS[filter] : undefined;
