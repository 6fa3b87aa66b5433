import type { Catalogue, CliFacts } from '../../ffmpeg/catalogue/catalogue.ts';
import type { Component, ComponentKind } from '../../ffmpeg/catalogue/component.ts';
import type { OptionClass } from '../../ffmpeg/catalogue/help-full.ts';

/** The installed ffmpeg: what is known of it, and how it is asked for more. */
export interface KnownTool {
  /** What is known now. */
  catalogue(): Catalogue;
  component(kind: ComponentKind, name: string): Promise<Component | undefined>;
  option(name: string): Promise<CliFacts | undefined>;
  classes(): Promise<readonly OptionClass[]>;
}

/** Waits until ffmpeg was found. */
export type AskTool = () => Promise<KnownTool>;
