// The best match of every token of a question in a text. `npm run build kernels` compiles it to late.wasm.

// `question` and `text` are rows of `columns` signed bytes; `columns` is a multiple of 16. Writes for each of the
// question's rows the largest product with a row of the text.
export function bestMatches(
  question: usize, asked: i32, text: usize, count: i32, columns: i32, best: usize,
): void {
  const stride = <usize>columns;
  for (let item = 0; item < asked; item++) {
    const row = question + <usize>item * stride;
    let largest = i32.MIN_VALUE;
    let other = text;
    for (let at = 0; at < count; at++) {
      let sum = i32x4.splat(0);
      for (let k: usize = 0; k < stride; k += 16) {
        const a = v128.load(row + k), b = v128.load(other + k);
        sum = i32x4.add(sum, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(a), i16x8.extend_low_i8x16_s(b)));
        sum = i32x4.add(sum, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(a), i16x8.extend_high_i8x16_s(b)));
      }
      const half = i32x4.add(sum, v128.shuffle<i32>(sum, sum, 2, 3, 0, 1));
      const dot = i32x4.extract_lane(half, 0) + i32x4.extract_lane(half, 1);
      if (dot > largest) largest = dot;
      other += stride;
    }
    store<i32>(best + (<usize>item << 2), largest);
  }
}
