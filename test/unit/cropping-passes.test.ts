import { expect, test } from 'vitest';
import { croppingGraphs, cropsToContent, withRectangles } from '../../packages/ffmpeg/src/filtergraph/crop-passes.ts';
import { isGraphError, printGraph } from '../../packages/ffmpeg/src/filtergraph/graph.ts';
import { parseGraph } from '../../packages/ffmpeg/src/filtergraph/parse.ts';

function read(text: string) {
  const graph = parseGraph(text);
  if (isGraphError(graph)) throw new Error(graph.error);
  return graph;
}

function passesOf(text: string) {
  let count = 0;
  return croppingGraphs(read(text), () => count++);
}

test('the first pass measures and does not crop, the second one crops', () => {
  const { first, second } = passesOf('[0:v]cropdetect=round=2,crop[a];[a]scale=320:-2[v]');
  expect(printGraph(first)).toBe(
    '[0:v]metadata=mode=delete,cropdetect=round=2,metadata=mode=print:key=lavfi.cropdetect.w:file=pass/crop-0-w.txt,' +
      'metadata=mode=print:key=lavfi.cropdetect.h:file=pass/crop-0-h.txt,' +
      'metadata=mode=print:key=lavfi.cropdetect.x:file=pass/crop-0-x.txt,' +
      'metadata=mode=print:key=lavfi.cropdetect.y:file=pass/crop-0-y.txt,null[a];[a]scale=320:-2[v]',
  );
  expect(printGraph(second)).toBe('[0:v]crop=w=CROP_W:h=CROP_H:x=CROP_X:y=CROP_Y[a];[a]scale=320:-2[v]');
});

test('the second pass gets the rectangle, and none if there is no content', () => {
  const { second } = passesOf('cropdetect,crop,hflip');
  const rectangle = { w: 320, h: 180, x: 40, y: 60 };
  expect(printGraph(withRectangles(second, () => rectangle))).toBe('crop=w=320:h=180:x=40:y=60,hflip');
  expect(printGraph(withRectangles(second, () => undefined))).toBe('crop,hflip');
});

test.each(['cropdetect,crop=320:180', 'crop,cropdetect', 'cropdetect[a];[a]crop'])(
  '"%s" stays what ffmpeg makes of it',
  (text) => {
    expect(cropsToContent(read(text))).toBe(false);
  },
);

test.each([
  ['cropdetect,crop', 'cropdetect=round=2,'],
  ['cropdetect=limit=24,crop', 'cropdetect=limit=24:round=2,'],
  ['cropdetect=round=8,crop', 'cropdetect=round=8,'],
])('%s measures to two pixels, unless other steps are sent', (sent, measured) => {
  expect(printGraph(passesOf(sent).first)).toContain(measured);
});
