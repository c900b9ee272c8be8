"use strict";
// Draws every element of class "chart" from the JSON inside it. Lines differ in colour, dash and mark, so that they can
// be told apart in grey too.
(() => {
  const colours = ["#0b5cad", "#c2410c", "#15803d", "#7e22ce", "#b91c1c", "#0e7490", "#a16207", "#be185d", "#4d7c0f",
    "#475569"];
  const dashes = [[], [8, 4], [2, 3], [10, 3, 2, 3], [4, 4]];
  const bounds = [[3, 3], [9, 3], [1, 3]];
  // A legend shows a piece of each line, as near as styles of borders come to it.
  const pieceOf = dash => !dash || dash.length === 0 ? "solid" : dash[0] > 3 ? "dashed" : "dotted";
  const number = v => v == null ? ""
    : Number.isInteger(v) && Math.abs(v) < 1e7 ? String(v)
    : Math.abs(v) >= 1e5 || (v !== 0 && Math.abs(v) < 1e-3) ? v.toExponential(1) : String(+v.toPrecision(4));
  for (const place of document.querySelectorAll(".chart")) {
    const chart = JSON.parse(place.querySelector("script").textContent);
    const half = place.classList.contains("half");
    const many = chart.series.length > 12;
    const measured = chart.series.some(one => one.kind === "POINTS") && chart.data[0].length <= 12;
    let bound = 0;
    const series = chart.series.map((one, i) => ({
      label: one.name,
      stroke: one.kind === "BOUND" ? "#667085" : colours[i % colours.length],
      width: one.kind === "TRACE" || one.kind === "STEPS" ? (many ? 1 : 1.5) : 2,
      dash: one.kind === "BOUND"
        ? bounds[bound++ % bounds.length]
        : dashes[(many ? Math.floor(i / colours.length) : i) % dashes.length],
      paths: one.kind === "DOTS" ? () => null : one.kind === "STEPS" ? uPlot.paths.stepped({ align: 1 }) : undefined,
      points: { show: one.kind === "POINTS" || one.kind === "DOTS", size: one.kind === "DOTS" ? 2 + i : 5 + (i % 3) * 2 },
      spanGaps: true,
      value: (u, v) => number(v),
    }));
    new uPlot({
      width: half ? place.parentElement.clientWidth : Math.min(980, document.body.clientWidth - 40),
      height: half ? 220 : 340,
      scales: {
        x: chart.log
          ? { time: false, distr: 3, range: (u, min, max) => [min / 1.04, max * 1.04] }
          : { time: false },
        y: chart.logy
          ? { distr: 3, range: (u, min, max) => [min * 0.8, max * 1.25] }
          : { range: (u, min, max) => [Math.min(chart.from, min), max > 0 ? max + (max - Math.min(chart.from, min)) * 0.05 : 1] },
      },
      axes: [
        // Few places that were measured are themselves the ticks.
        measured
          ? { label: chart.x, values: (u, all) => all.map(number), splits: () => chart.data[0], filter: (u, all) => all }
          : { label: chart.x, values: (u, all) => all.map(number) },
        { label: chart.y, values: (u, all) => all.map(number), size: 70 },
      ],
      legend: { show: !many, markers: { dash: (u, i) => pieceOf(u.series[i].dash) } },
      series: [{ label: chart.x, value: (u, v) => number(v) }, ...series],
    }, chart.data, place);
  }
})();
