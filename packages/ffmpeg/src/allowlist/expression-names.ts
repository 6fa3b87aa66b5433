/** The names that an expression of a filter may contain, from the manual of the filter. */
export interface ExpressionNames {
  /** The names in ffmpeg 5.1 to 9.0. If two names have one meaning (`iw in_w`), messages suggest the first. */
  readonly names: ReadonlySet<string>;
  /** The names for the width and height of the input. Clients often write "width" and "height". */
  readonly size?: readonly [width: string, height: string];
  /** The names for the size of what the filter draws or cuts out: the overlay, the text, the cropped area. */
  readonly own?: readonly [width: string, height: string];
}

const SCALED = 'iw in_w ih in_h ow out_w oh out_h a sar dar hsub vsub';
const TIMED = 'n t pos';
const MAIN = 'main_w main_h main_a main_sar main_dar mdar main_hsub main_vsub main_n main_t main_pos';
const REFERENCE = 'ref_w rw ref_h rh ref_a ref_sar ref_dar rdar ref_hsub ref_vsub ref_n ref_t ref_pos';
const GLYPHS = 'line_h lh ascent max_glyph_a descent max_glyph_d max_glyph_h max_glyph_w font_a font_d top_a bottom_d';

const IN = ['iw', 'ih'] as const;
const PLAIN = ['w', 'h'] as const;

const row = (names: string, size?: ExpressionNames['size'], own?: ExpressionNames['own']): ExpressionNames => ({
  names: new Set(names.split(' ')),
  ...(size && { size }),
  ...(own && { own }),
});

const DRAWN = row('dar hsub vsub ih in_h iw in_w sar x y h w t fill', IN, PLAIN);
const SCALING = row(`${SCALED} ohsub ovsub ${TIMED} ${MAIN} ${REFERENCE}`, IN, ['ow', 'oh']);

/** Only filters with few names, which their manual lists completely. */
const ROWS: Readonly<Record<string, ExpressionNames>> = {
  addroi: row('iw ih', IN),
  crop: row(`${SCALED} x y ${TIMED}`, IN, ['ow', 'oh']),
  delogo: row('x y w h n t', PLAIN),
  drawbox: DRAWN,
  drawgrid: DRAWN,
  drawtext: row(
    `w main_w W h main_h H tw text_w th text_h x y n t dar sar hsub vsub ${GLYPHS} pict_type pkt_pos pkt_duration pkt_size duration`,
    PLAIN,
    ['tw', 'th'],
  ),
  eq: row('n pos r t'),
  fps: row('source_fps ntsc pal film ntsc_film'),
  hue: row('n pts r t tb'),
  overlay: row(`W main_w H main_h w overlay_w h overlay_h hsub vsub x y ${TIMED}`, ['W', 'H'], PLAIN),
  pad: row(`${SCALED} x y`, IN, ['ow', 'oh']),
  perspective: row('W H in on', ['W', 'H']),
  rotate: row('iw in_w ih in_h ow out_w oh out_h hsub vsub n t', IN, ['ow', 'oh']),
  scale: SCALING,
  scale2ref: SCALING,
  vignette: row('w h n pts r t tb', PLAIN),
  volume: row('n nb_channels nb_consumed_samples nb_samples pos pts sample_rate startpts startt t tb volume'),
  zoompan: row(
    'iw in_w ih in_h ow out_w oh out_h in on duration pduration it in_time time out_time ot frame zoom pzoom x px y py a sar dar hsub vsub',
    IN,
  ),
  zscale: row(`${SCALED} ohsub ovsub`, IN, ['ow', 'oh']),
};

/** The names for expressions of a filter. undefined: no row, so only ffmpeg checks the names. */
export const expressionNames = (filter: string): ExpressionNames | undefined =>
  Object.hasOwn(ROWS, filter) ? ROWS[filter] : undefined;
