/** The example request of the API, which the benches submit. */
export const EXAMPLE = {
  input: '/path/to/input.mp4',
  output: '/path/to/output.mp4',
  format: 'mp4',
  parameters: { 'c:v': 'libx264', 'b:v': '1M', 'c:a': 'aac' },
};

export const EXAMPLE_JSON = JSON.stringify(EXAMPLE);
