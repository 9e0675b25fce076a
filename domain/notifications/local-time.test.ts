import { describe, expect, test } from "vitest";
import { isTimeZone, nextDigest, quietHoursEndAt, readClock, writeClock } from "./local-time.ts";

const at = (text: string) => Date.parse(text);
const night = { from: 22 * 60, to: 7 * 60 };

describe("quiet hours", () => {
  test("use the member's time zone, also over midnight", () => {
    expect(quietHoursEndAt(at("2026-11-23T21:59:00Z"), night, "UTC")).toBeUndefined();
    expect(quietHoursEndAt(at("2026-11-23T22:00:00Z"), night, "UTC")).toBe(at("2026-11-24T07:00:00Z"));
    expect(quietHoursEndAt(at("2026-11-24T06:59:59Z"), night, "UTC")).toBe(at("2026-11-24T07:00:00Z"));
    expect(quietHoursEndAt(at("2026-11-24T07:00:00Z"), night, "UTC")).toBeUndefined();
    expect(quietHoursEndAt(at("2026-11-23T13:30:00Z"), night, "Asia/Tokyo")).toBe(at("2026-11-23T22:00:00Z"));
    expect(quietHoursEndAt(at("2026-11-23T18:00:00Z"), night, "Asia/Kathmandu")).toBe(at("2026-11-24T01:15:00Z"));
  });

  test("end correctly on nights with a clock change", () => {
    expect(quietHoursEndAt(at("2026-03-28T23:00:00Z"), night, "Europe/Berlin")).toBe(at("2026-03-29T05:00:00Z"));
    expect(quietHoursEndAt(at("2026-10-24T22:00:00Z"), night, "Europe/Berlin")).toBe(at("2026-10-25T06:00:00Z"));
  });

  test("don't apply when empty or unset", () => {
    expect(quietHoursEndAt(at("2026-11-23T22:00:00Z"), { from: 60, to: 60 }, "UTC")).toBeUndefined();
    expect(quietHoursEndAt(at("2026-11-23T22:00:00Z"), null, "UTC")).toBeUndefined();
  });
});

describe("a digest is sent at eight, local time", () => {
  test("each day", () => {
    expect(nextDigest(at("2026-11-23T07:59:00Z"), "daily", "UTC")).toBe(at("2026-11-23T08:00:00Z"));
    expect(nextDigest(at("2026-11-23T08:00:00Z"), "daily", "UTC")).toBe(at("2026-11-24T08:00:00Z"));
    expect(nextDigest(at("2026-11-23T08:00:30Z"), "daily", "America/New_York")).toBe(at("2026-11-23T13:00:00Z"));
  });

  test("or on Mondays", () => {
    expect(nextDigest(at("2026-11-23T08:00:00Z"), "weekly", "UTC")).toBe(at("2026-11-30T08:00:00Z"));
    expect(nextDigest(at("2026-11-22T21:00:00Z"), "weekly", "Pacific/Auckland")).toBe(at("2026-11-29T19:00:00Z"));
    expect(nextDigest(at("2026-10-24T08:00:00Z"), "weekly", "Europe/Berlin")).toBe(at("2026-10-26T07:00:00Z"));
  });
});

test("times are parsed and formatted like browsers do", () => {
  expect(["22:30", "00:00", "7:05", "24:00", "12:60", ""].map(readClock)).toEqual([1350, 0, undefined, undefined, undefined, undefined]);
  expect([1350, 0, 425].map(writeClock)).toEqual(["22:30", "00:00", "07:05"]);
});

test("time zones are validated", () => {
  expect(["Europe/Berlin", "UTC", "Mars/Olympus", ""].map(isTimeZone)).toEqual([true, true, false, false]);
});
