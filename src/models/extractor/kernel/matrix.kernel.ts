// The parser's arithmetic, compiled by `npm run build:kernels` to matrix.wasm beside it.
// 16-bit integers inside, 32-bit floats outside: a row of weights and a vector of inputs each carry one scale.

// Y[t][r] = bias[r] + scale[r] * inputScale * sum_k W[r][k] * X[t][k]
// rows is a multiple of 4, columns a multiple of 8, both padded with zeros.
export function multiply(
  weights: usize, inputs: usize, outputs: usize, scales: usize, biases: usize,
  rows: i32, columns: i32, count: i32, inputScale: f32,
): void {
  const stride = columns << 1;
  const spread = f32x4.splat(inputScale);
  for (let row = 0; row < rows; row += 4) {
    const w0 = weights + row * stride;
    const w1 = w0 + stride;
    const w2 = w1 + stride;
    const w3 = w2 + stride;
    const scale = f32x4.mul(v128.load(scales + (row << 2)), spread);
    const bias = v128.load(biases + (row << 2));
    let item = 0;
    // Two inputs at a time: every loaded weight is used twice.
    for (; item + 1 < count; item += 2) {
      const x0 = inputs + item * stride;
      const x1 = x0 + stride;
      let a0 = i32x4.splat(0), a1 = i32x4.splat(0), a2 = i32x4.splat(0), a3 = i32x4.splat(0);
      let b0 = i32x4.splat(0), b1 = i32x4.splat(0), b2 = i32x4.splat(0), b3 = i32x4.splat(0);
      for (let k = 0; k < stride; k += 16) {
        const x = v128.load(x0 + k);
        const y = v128.load(x1 + k);
        let w = v128.load(w0 + k);
        a0 = i32x4.add(a0, i32x4.dot_i16x8_s(w, x));
        b0 = i32x4.add(b0, i32x4.dot_i16x8_s(w, y));
        w = v128.load(w1 + k);
        a1 = i32x4.add(a1, i32x4.dot_i16x8_s(w, x));
        b1 = i32x4.add(b1, i32x4.dot_i16x8_s(w, y));
        w = v128.load(w2 + k);
        a2 = i32x4.add(a2, i32x4.dot_i16x8_s(w, x));
        b2 = i32x4.add(b2, i32x4.dot_i16x8_s(w, y));
        w = v128.load(w3 + k);
        a3 = i32x4.add(a3, i32x4.dot_i16x8_s(w, x));
        b3 = i32x4.add(b3, i32x4.dot_i16x8_s(w, y));
      }
      const y0 = outputs + ((item * rows + row) << 2);
      store4(y0, sums(a0, a1, a2, a3), scale, bias);
      store4(y0 + (rows << 2), sums(b0, b1, b2, b3), scale, bias);
    }
    for (; item < count; item++) {
      const x0 = inputs + item * stride;
      let a0 = i32x4.splat(0), a1 = i32x4.splat(0), a2 = i32x4.splat(0), a3 = i32x4.splat(0);
      for (let k = 0; k < stride; k += 16) {
        const x = v128.load(x0 + k);
        a0 = i32x4.add(a0, i32x4.dot_i16x8_s(v128.load(w0 + k), x));
        a1 = i32x4.add(a1, i32x4.dot_i16x8_s(v128.load(w1 + k), x));
        a2 = i32x4.add(a2, i32x4.dot_i16x8_s(v128.load(w2 + k), x));
        a3 = i32x4.add(a3, i32x4.dot_i16x8_s(v128.load(w3 + k), x));
      }
      store4(outputs + ((item * rows + row) << 2), sums(a0, a1, a2, a3), scale, bias);
    }
  }
}

// One direction of an LSTM layer. `gates` holds the input part of the four gates (input, forget, cell, output)
// for every position; the recurrent part is added here. The state is kept as 12-bit integers.
export function recur(
  gates: usize, weights: usize, scales: usize, zeros: usize, state: usize, cells: usize, recurrent: usize,
  outputs: usize, count: i32, size: i32, paddedSize: i32, outputStride: i32, outputOffset: i32, backwards: i32,
): void {
  memory.fill(state, 0, paddedSize << 1);
  memory.fill(cells, 0, size << 2);
  const gateSize = size << 2;
  for (let step = 0; step < count; step++) {
    const position = backwards ? count - 1 - step : step;
    const gate = gates + ((position * gateSize) << 2);
    const output = outputs + ((position * outputStride + outputOffset) << 2);
    multiply(weights, state, recurrent, scales, zeros, gateSize, paddedSize, 1, 1.0 / 4095.0);
    for (let unit = 0; unit < size; unit++) {
      const at = unit << 2;
      const input = sigmoid(sum2(gate, recurrent, at));
      const forget = sigmoid(sum2(gate, recurrent, at + gateSize));
      const fresh = tangent(sum2(gate, recurrent, at + (gateSize << 1)));
      const out = sigmoid(sum2(gate, recurrent, at + gateSize * 3));
      const cell = forget * load<f32>(cells + at) + input * fresh;
      const value = out * tangent(cell);
      store<f32>(cells + at, cell);
      store<f32>(output + at, value);
      store<i16>(state + (unit << 1), i16(nearest<f32>(value * 4095.0)));
    }
  }
}

// @ts-ignore: decorators on functions are AssemblyScript's
@inline function store4(at: usize, sum: v128, scale: v128, bias: v128): void {
  v128.store(at, f32x4.add(bias, f32x4.mul(scale, f32x4.convert_i32x4_s(sum))));
}

// The four horizontal sums of four vectors.
// @ts-ignore: decorators on functions are AssemblyScript's
@inline function sums(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = i32x4.add(v128.shuffle<i32>(a, b, 0, 4, 1, 5), v128.shuffle<i32>(a, b, 2, 6, 3, 7));
  const cd = i32x4.add(v128.shuffle<i32>(c, d, 0, 4, 1, 5), v128.shuffle<i32>(c, d, 2, 6, 3, 7));
  return i32x4.add(v128.shuffle<i32>(ab, cd, 0, 1, 4, 5), v128.shuffle<i32>(ab, cd, 2, 3, 6, 7));
}

// @ts-ignore: decorators on functions are AssemblyScript's
@inline function sum2(a: usize, b: usize, offset: usize): f32 {
  return load<f32>(a + offset) + load<f32>(b + offset);
}

// @ts-ignore: decorators on functions are AssemblyScript's
@inline function sigmoid(x: f32): f32 {
  return 1.0 / (1.0 + exponential(-x));
}

// @ts-ignore: decorators on functions are AssemblyScript's
@inline function tangent(x: f32): f32 {
  return 1.0 - 2.0 / (exponential(2.0 * x) + 1.0);
}

// e^x by range reduction to a power of two and a Taylor polynomial; relative error about 1e-6.
// @ts-ignore: decorators on functions are AssemblyScript's
@inline function exponential(x: f32): f32 {
  const bounded = min<f32>(max<f32>(x, -30.0), 30.0);
  const scaled = bounded * 1.4426950408889634;
  const whole = nearest<f32>(scaled);
  const rest = (scaled - whole) * 0.6931471805599453;
  const series: f32 = 1.0 + rest * (1.0 + rest * (0.5 + rest * (0.16666667 + rest * (0.041666668 + rest * (0.008333334 + rest * 0.0013888889)))));
  return series * reinterpret<f32>((i32(whole) + 127) << 23);
}
