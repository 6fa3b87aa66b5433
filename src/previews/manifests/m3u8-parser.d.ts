/** The part of `m3u8-parser` that is used. It has no types of its own. */
declare module 'm3u8-parser' {
  interface Segment {
    readonly uri?: string;
    readonly map?: { readonly uri?: string };
    readonly key?: { readonly method?: string };
  }

  interface Playlist {
    readonly uri?: string;
    readonly attributes?: {
      readonly BANDWIDTH?: number;
      readonly CODECS?: string;
      readonly RESOLUTION?: object;
      readonly AUDIO?: string;
    };
  }

  export class Parser {
    push(text: string): void;
    end(): void;
    readonly manifest: {
      readonly playlists?: readonly Playlist[];
      readonly segments?: readonly Segment[];
      readonly mediaGroups?: {
        readonly AUDIO?: Readonly<Record<string, Readonly<Record<string, { readonly uri?: string }>>>>;
      };
    };
  }
}
