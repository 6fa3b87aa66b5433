/** Written by scripts/known-options.ts: releases|name|argument or flag|where it may stand|its help. */
export const KNOWN_OPTIONS = `
5.1 7.1 9.0|abort_on|argument|global|abort on the specified condition flags
5.1 7.1 9.0|ac|argument|both|set number of audio channels
5.1 7.1 9.0|accurate_seek|flag|input|enable/disable accurate seeking with -ss
5.1 7.1 9.0|an|flag|both|disable audio
5.1 7.1 9.0|apad|argument|output|audio pad
7.1 9.0|apply_cropping|argument|input|select the cropping to apply
5.1 7.1 9.0|ar|argument|both|set audio sampling rate (in Hz)
5.1 7.1 9.0|aspect|argument|output|set aspect ratio (4:3, 16:9 or 1.3333, 1.7777)
5.1 7.1 9.0|auto_conversion_filters|flag|global|enable automatic conversion filters globally
5.1|autorotate|argument|input|automatically insert correct rotate filters
7.1 9.0|autorotate|flag|input|automatically insert correct rotate filters
5.1|autoscale|argument|output|automatically insert a scale filter at the end of the filter graph
7.1 9.0|autoscale|flag|output|automatically insert a scale filter at the end of the filter graph
5.1 7.1 9.0|b|argument|output|video bitrate (please use -b:v)
5.1 7.1 9.0|bitexact|flag|both|bitexact mode
5.1 7.1 9.0|bits_per_raw_sample|argument|output|set the number of bits per raw sample
5.1|bsf|argument|output|A comma-separated list of bitstream filters
7.1 9.0|bsf|argument|both|A comma-separated list of bitstream filters
5.1|c|argument|both|codec name
7.1 9.0|c|argument|both|select encoder/decoder ('copy' to copy stream without reencoding)
5.1 7.1 9.0|canvas_size|argument|input|set canvas size (WxH or abbreviation)
5.1 7.1 9.0|ch_layout|argument|both|set channel layout
5.1 7.1 9.0|chroma_intra_matrix|argument|output|specify intra matrix coeffs
5.1 7.1 9.0|copy_unknown|flag|global|Copy unknown stream types
5.1 7.1 9.0|copyinkf|flag|output|copy initial non-keyframes
5.1 7.1 9.0|copypriorss|argument|output|copy or discard frames before start time
5.1 7.1 9.0|copytb|argument|global|copy input stream time base when stream copying
5.1 7.1 9.0|copyts|flag|global|copy timestamps
5.1 7.1 9.0|discard|argument|input|discard
7.1 9.0|display_hflip|flag|input|set display horizontal flip for stream(s) (overrides any display rotation if it is not set)
7.1 9.0|display_rotation|argument|input|set pure counter-clockwise rotation in degrees for stream(s)
7.1 9.0|display_vflip|flag|input|set display vertical flip for stream(s) (overrides any display rotation if it is not set)
5.1 7.1 9.0|disposition|argument|output|disposition
5.1 7.1 9.0|dn|flag|both|disable data
5.1 7.1 9.0|dts_delta_threshold|argument|global|timestamp discontinuity delta threshold
5.1 7.1 9.0|dts_error_threshold|argument|global|timestamp error delta threshold
5.1 7.1 9.0|enc_time_base|argument|output|set the desired time base for the encoder (1:24, 1:48000 or 0.04166, 2.0833e-5). two special values are defined - 0 = use frame rate (video) or sample rate (audio),-1 = match source time base
5.1|filter|argument|output|set stream filtergraph
7.1 9.0|filter|argument|output|apply specified filters to audio/video
5.1 7.1 9.0|filter_complex|argument|global|create a complex filtergraph
5.1 7.1 9.0|find_stream_info|flag|input|read and decode the streams to fill missing information with heuristics
5.1 7.1 9.0|fix_sub_duration|flag|input|fix subtitles duration
5.1 7.1 9.0|force_fps|flag|output|force the selected framerate, disable the best supported framerate selection
5.1 7.1 9.0|force_key_frames|argument|output|force key frames at specified timestamps
5.1 7.1|fps_mode|argument|output|set framerate mode for matching video streams; overrides vsync
9.0|fps_mode|argument|output|set framerate mode for matching video streams
5.1 7.1 9.0|fpsmax|argument|output|set max frame rate (Hz value, fraction or abbreviation)
5.1 7.1 9.0|frames|argument|output|set the number of frames to output
5.1 7.1 9.0|fs|argument|output|set the limit file size in bytes
5.1 7.1 9.0|guess_layout_max|argument|input|set the maximum number of channels to try to guess the channel layout
5.1 7.1 9.0|ignore_unknown|flag|global|Ignore unknown stream types
5.1 7.1 9.0|inter_matrix|argument|output|specify inter matrix coeffs
5.1 7.1 9.0|intra_matrix|argument|output|specify intra matrix coeffs
5.1 7.1 9.0|isync|argument|input|Indicate the input index for sync reference
5.1 7.1 9.0|itsoffset|argument|input|set the input ts offset
5.1 7.1 9.0|itsscale|argument|input|set the input ts scale
5.1 7.1 9.0|map|argument|output|set input stream mapping
5.1|map_channel|argument|output|map an audio channel from one stream to another
5.1 7.1 9.0|map_chapters|argument|output|set chapters mapping
5.1 7.1 9.0|map_metadata|argument|output|set metadata information of outfile from infile
5.1 7.1 9.0|max_error_rate|argument|global|ratio of decoding errors (0.0: no errors, 1.0: 100% errors) above which ffmpeg returns an error instead of success.
5.1 7.1 9.0|max_muxing_queue_size|argument|output|maximum number of packets that can be buffered while waiting for all streams to initialize
5.1 7.1 9.0|metadata|argument|output|add metadata
5.1 7.1 9.0|muxdelay|argument|output|set the maximum demux-decode delay
5.1 7.1 9.0|muxing_queue_data_threshold|argument|output|set the threshold after which max_muxing_queue_size is taken into account
5.1 7.1 9.0|muxpreload|argument|output|set the initial demux-decode delay
5.1 7.1 9.0|noaccurate_seek|flag|input|enable/disable accurate seeking with -ss
5.1 7.1 9.0|noauto_conversion_filters|flag|global|enable automatic conversion filters globally
5.1 7.1 9.0|noautorotate|flag|input|automatically insert correct rotate filters
5.1 7.1 9.0|noautoscale|flag|output|automatically insert a scale filter at the end of the filter graph
5.1 7.1 9.0|nofind_stream_info|flag|input|read and decode the streams to fill missing information with heuristics
5.1 7.1 9.0|pix_fmt|argument|both|set pixel format
5.1 7.1 9.0|profile|argument|output|set profile
5.1 7.1 9.0|program|argument|output|add program with specified streams
5.1 7.1 9.0|q|argument|output|use fixed quality scale (VBR)
5.1|r|argument|both|set frame rate (Hz value, fraction or abbreviation)
7.1 9.0|r|argument|both|override input framerate/convert to given output framerate (Hz value, fraction or abbreviation)
5.1 7.1 9.0|rc_override|argument|output|rate control override for specific intervals
5.1 7.1 9.0|recast_media|flag|global|allow recasting stream type in order to force a decoder of different media type
5.1 7.1 9.0|reinit_filter|argument|input|reinit filtergraph on input parameter changes
5.1|s|argument|both|set frame size (WxH or abbreviation)
7.1 9.0|s|argument|both|
5.1 7.1 9.0|sample_fmt|argument|both|set sample format
5.1 7.1 9.0|seek_timestamp|argument|input|enable/disable seeking by timestamp with -ss
5.1 7.1 9.0|shortest|flag|output|finish encoding within shortest input
7.1 9.0|shortest_buf_duration|argument|output|maximum buffering duration (in seconds) for the -shortest option
5.1 7.1 9.0|sn|flag|both|disable subtitle
5.1|ss|argument|both|set the start time offset
7.1 9.0|ss|argument|both|start transcoding at specified time
5.1 7.1 9.0|sseof|argument|input|set the start time offset relative to EOF
5.1 7.1 9.0|start_at_zero|flag|global|shift input timestamps to start at 0 when using copyts
5.1 7.1 9.0|stream_loop|argument|input|set number of times input stream shall be looped
5.1 7.1 9.0|streamid|argument|output|set the value of an outfile streamid
5.1|t|argument|both|record or transcode "duration" seconds of audio/video
7.1 9.0|t|argument|both|stop transcoding after specified duration
5.1 7.1 9.0|tag|argument|both|force codec tag/fourcc
5.1 7.1 9.0|target|argument|output|specify target file type ("vcd", "svcd", "dvd", "dv" or "dv50" with optional prefixes "pal-", "ntsc-" or "film-")
5.1|thread_queue_size|argument|input|set the maximum number of queued packets from the demuxer
7.1 9.0|thread_queue_size|argument|both|set the maximum number of queued packets from the demuxer
5.1 7.1 9.0|time_base|argument|output|set the desired time base hint for output stream (1:24, 1:48000 or 0.04166, 2.0833e-5)
5.1 7.1 9.0|timecode|argument|output|set initial TimeCode value.
5.1 7.1 9.0|timestamp|argument|output|set the recording timestamp ('now' to set the current time)
5.1|to|argument|both|record or transcode stop time
7.1 9.0|to|argument|both|stop transcoding after specified time is reached
5.1|top|argument|both|top=1/bottom=0/auto=-1 field first
7.1|top|argument|both|deprecated, use the setfield video filter
5.1 7.1 9.0|vn|flag|both|disable video
5.1|vol|argument|global|change audio volume (256=normal)
5.1 7.1|vsync|argument|global|set video sync method globally; deprecated, use -fps_mode
5.1 7.1 9.0|xerror|flag|global|exit on error
`;
