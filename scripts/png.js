// Makes pictures of pages small, without a package for it.
import { crc32, deflateSync, inflateSync } from "node:zlib";

/**
 * Writes a picture with a palette of 256 of its colours, which takes a third of the room: a page has few colours,
 * and the edges of its letters many. Takes a PNG as Chromium writes them: 8 bits for red, green and blue, no transparency.
 */
export function withPalette(png) {
  const { width, height, data } = parsed(png);
  const colours = unfiltered(inflateSync(data), width * 3, height);
  const palette = chosen(colours);
  const places = new Map();
  const rows = Buffer.alloc((width + 1) * height);
  for (const [at, colour] of colours.entries()) {
    if (!places.has(colour)) places.set(colour, nearest(palette, colour));
    rows[at + Math.floor(at / width) + 1] = places.get(colour);
  }
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 3, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return Buffer.concat([
    png.subarray(0, 8),
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(palette.flatMap(parts))),
    chunk("IDAT", deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function parsed(png) {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  if (png.readUInt32BE(24) >>> 8 !== 0x080200)
    throw new Error("The picture is no PNG with 8 bits for each of three colours.");
  const data = [];
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    if (png.toString("latin1", at + 4, at + 8) === "IDAT") data.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  return { width, height, data: Buffer.concat(data) };
}

/** The colours of all pixels as numbers. */
function unfiltered(rows, length, height) {
  const bytes = Buffer.alloc(length * height);
  for (let at = 0; at < bytes.length; at++) {
    const [row, column] = [Math.floor(at / length), at % length];
    const left = column < 3 ? 0 : bytes[at - 3];
    const above = row === 0 ? 0 : bytes[at - length];
    const corner = column < 3 || row === 0 ? 0 : bytes[at - length - 3];
    const guess = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][rows[row * (length + 1)]];
    bytes[at] = rows[at + row + 1] + guess;
  }
  return Uint32Array.from({ length: bytes.length / 3 }, (_, at) => bytes.readUIntBE(at * 3, 3));
}

function paeth(left, above, corner) {
  const [toLeft, toAbove, toCorner] = [above - corner, left - corner, left + above - 2 * corner].map(Math.abs);
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

/** The colours of areas, then those of edges, of which one stands for all that are like it: a red of few pixels stays red. */
function chosen(colours) {
  const counts = new Map();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const palette = [];
  for (const [colour] of [...counts].toSorted(([, one], [, other]) => other - one)) {
    const isOwn = palette.length < 64 || palette.every((other) => distance(other, colour) > 200);
    if (isOwn && palette.length < 256) palette.push(colour);
  }
  return palette;
}

/** The place of the nearest colour in the palette. */
function nearest(palette, colour) {
  const distances = palette.map((other) => distance(other, colour));
  return distances.indexOf(Math.min(...distances));
}

function distance(one, other) {
  const [red, green, blue] = parts(one);
  const [otherRed, otherGreen, otherBlue] = parts(other);
  return (red - otherRed) ** 2 + (green - otherGreen) ** 2 + (blue - otherBlue) ** 2;
}

function parts(colour) {
  return [colour >> 16, (colour >> 8) & 255, colour & 255];
}

function chunk(name, data) {
  const named = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}
