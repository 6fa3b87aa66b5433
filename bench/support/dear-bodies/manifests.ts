import { type DearBody, filled, listOf } from './dear-body.ts';

/** The most bytes of a manifest that a preview reads. */
const MOST = 512 * 1024;

const dash = (content: string): string =>
  `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT10S"><Period>${content}</Period></MPD>`;

const preview = (name: string, file: string, text: string): DearBody => ({
  name,
  method: 'GET',
  path: `/api/files/${file}?view=frame`,
  before: [
    { method: 'PUT', path: `/api/files/${file}`, body: text, headers: { 'content-type': 'application/octet-stream' } },
  ],
});

const representations = listOf(
  200,
  (index) => `<Representation id="${index}" bandwidth="${index}"><BaseURL>a.mp4</BaseURL></Representation>`,
).join('');

/** The most expensive manifests for a preview. */
export const manifestBodies = (): readonly DearBody[] => [
  preview(
    'a DASH manifest with elements beside its representations',
    'beside.mpd',
    dash(`<AdaptationSet>${representations}${filled('<a/>', 480_000)}</AdaptationSet>`),
  ),
  preview('a DASH manifest of empty elements', 'empty.mpd', dash(filled('<a/>', MOST - 200))),
  preview('a nested DASH manifest', 'nested.mpd', dash(`${filled('<a>', MOST / 3)}${filled('</a>', MOST / 3)}`)),
  preview(
    'a DASH manifest of attributes',
    'attributes.mpd',
    `<MPD ${listOf(40_000, (index) => `a${index}=""`).join(' ')}/>`,
  ),
  preview(
    'a DASH manifest of sets',
    'sets.mpd',
    dash(
      filled(
        `<AdaptationSet><Representation bandwidth="1"><BaseURL>a</BaseURL></Representation></AdaptationSet>`,
        MOST - 200,
      ),
    ),
  ),
  preview(
    'a DASH timeline',
    'timeline.mpd',
    dash(
      `<AdaptationSet><SegmentTemplate media="$Number$.m4s" timescale="1"><SegmentTimeline>${filled('<S d="1" r="99999"/>', MOST - 400)}</SegmentTimeline></SegmentTemplate><Representation bandwidth="1"/></AdaptationSet>`,
    ),
  ),
  preview('an HLS playlist of segments', 'segments.m3u8', filled('#EXTINF:1,\na.ts\n', MOST, '#EXTM3U\n')),
  preview(
    'an HLS playlist of variants',
    'variants.m3u8',
    filled('#EXT-X-STREAM-INF:BANDWIDTH=1\na.m3u8\n', MOST, '#EXTM3U\n'),
  ),
  preview(
    'an HLS playlist of attributes',
    'line.m3u8',
    `#EXTM3U\n#EXT-X-STREAM-INF:${filled('A="",', MOST - 100)}\na.m3u8\n`,
  ),
  preview('an HLS playlist of one line', 'one.m3u8', `#EXTM3U\n#EXT-X-MAP:URI="${'a'.repeat(MOST - 100)}\n`),
];
