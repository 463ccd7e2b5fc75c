// The best match of every token of a question in a text. `npm run build kernels` compiles it to late.wasm.

// `question` is rows of `columns` 16-bit values, `text` rows of as many signed bytes; `columns` is a multiple of 16, `asked`
// of 4: that many rows share what is read of the text. Writes for each of the question's rows the largest product with a
// row of the text.
export function bestMatches(
  question: usize, asked: i32, text: usize, count: i32, columns: i32, best: usize,
): void {
  const stride = <usize>columns;
  for (let item = 0; item < asked; item += 4) {
    const q0 = question + <usize>item * (stride << 1);
    const q1 = q0 + (stride << 1), q2 = q1 + (stride << 1), q3 = q2 + (stride << 1);
    let largest = i32x4.splat(i32.MIN_VALUE);
    let row = text;
    for (let at = 0; at < count; at++) {
      let a0 = i32x4.splat(0), a1 = i32x4.splat(0), a2 = i32x4.splat(0), a3 = i32x4.splat(0);
      for (let k: usize = 0; k < stride; k += 8) {
        const values = v128.load_ext<i8>(row + k);
        a0 = i32x4.add(a0, i32x4.dot_i16x8_s(v128.load(q0 + (k << 1)), values));
        a1 = i32x4.add(a1, i32x4.dot_i16x8_s(v128.load(q1 + (k << 1)), values));
        a2 = i32x4.add(a2, i32x4.dot_i16x8_s(v128.load(q2 + (k << 1)), values));
        a3 = i32x4.add(a3, i32x4.dot_i16x8_s(v128.load(q3 + (k << 1)), values));
      }
      const low = i32x4.add(v128.shuffle<i32>(a0, a1, 0, 4, 1, 5), v128.shuffle<i32>(a0, a1, 2, 6, 3, 7));
      const high = i32x4.add(v128.shuffle<i32>(a2, a3, 0, 4, 1, 5), v128.shuffle<i32>(a2, a3, 2, 6, 3, 7));
      const dots = i32x4.add(v128.shuffle<i32>(low, high, 0, 1, 4, 5), v128.shuffle<i32>(low, high, 2, 3, 6, 7));
      largest = i32x4.max_s(largest, dots);
      row += stride;
    }
    v128.store(best + (<usize>item << 2), largest);
  }
}
