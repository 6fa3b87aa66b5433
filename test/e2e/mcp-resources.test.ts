import { expect } from 'vitest';
import { commonServer } from '../support/common-server.ts';
import { mcpClient, NEGOTIATION_MODES } from '../support/mcp-client.ts';
import { putSample } from '../support/media.ts';
import { needs } from '../support/needs.ts';

const start = commonServer();
const test = needs('ffmpeg');

const textOf = ({ contents }: { contents: readonly object[] }): unknown => {
  const [first] = contents as readonly { text?: string }[];
  return JSON.parse(first?.text ?? '');
};

test.for(NEGOTIATION_MODES)(
  'in %s mode resources are listed, described by templates and read',
  async ([, , options]) => {
    const { server, own } = await start();
    const jobId = await own.accept({ input: 'none.mp4', output: 'seen.mp4' });
    const client = await mcpClient(server.url, own.token, options);
    const { resources } = await client.listResources();
    const uris = resources.map(({ uri }) => uri);
    expect(uris).toEqual(
      expect.arrayContaining([
        ...['formats', 'codecs', 'filters', 'options'].map((kind) => `media://capabilities/${kind}`),
        `media://jobs/${jobId}`,
      ]),
    );
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'media://capabilities/{kind}',
      'media://jobs/{jobId}',
    ]);
    expect(textOf(await client.readResource({ uri: `media://jobs/${jobId}` }))).toMatchObject({
      jobId,
      output: 'seen.mp4',
    });
    for (const kind of ['formats', 'codecs', 'filters', 'options']) {
      const read = await client.readResource({ uri: `media://capabilities/${kind}` });
      const names = (textOf(read) as Record<string, string[]>)[kind] ?? [];
      expect(names.length).toBeGreaterThan(100);
      expect(JSON.stringify(read).length).toBeLessThan(30_000);
    }
    for (const uri of ['media://jobs/none', 'media://capabilities/bread', 'file:///etc/passwd'])
      await expect(client.readResource({ uri })).rejects.toMatchObject({ data: { uri } });
  },
);

test.for(NEGOTIATION_MODES)(
  'in %s mode prompts are listed, filled in, and their arguments completed',
  async ([, , options]) => {
    const { server, own } = await start();
    await putSample(server.mediaRoot, 'mp3', 'music/song.mp3');
    const client = await mcpClient(server.url, own.token, options);
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['convert_for_web', 'shrink_to_size', 'extract_audio']);
    for (const { name, arguments: args = [] } of prompts) {
      const requiredArguments = Object.fromEntries(
        args.filter(({ required }) => required).map((one) => [one.name, '25']),
      );
      const { messages } = await client.getPrompt({ name, arguments: { ...requiredArguments, input: 'a "b".mp4' } });
      expect(messages).toMatchObject([{ role: 'user', content: { text: expect.stringContaining('"a \\"b\\".mp4"') } }]);
    }
    await expect(client.getPrompt({ name: 'shrink_to_size', arguments: { input: 'a' } })).rejects.toThrow('megabytes');
    await expect(client.getPrompt({ name: 'shrink', arguments: {} })).rejects.toThrow('shrink_to_size');

    const ref = { type: 'ref/prompt', name: 'extract_audio' } as const;
    const offered = async (name: string, value: string) =>
      (await client.complete({ ref, argument: { name, value } })).completion.values;
    expect(await offered('input', 'music/s')).toEqual(['music/song.mp3']);
    expect(await offered('input', '../')).toEqual([]);
    expect(await offered('format', 'm')).toEqual(['mp3', 'm4a']);
    const kind = {
      ref: { type: 'ref/resource', uri: 'media://capabilities/{kind}' },
      argument: { name: 'kind', value: 'f' },
    } as const;
    expect((await client.complete(kind)).completion.values).toEqual(['formats', 'filters']);
  },
);
