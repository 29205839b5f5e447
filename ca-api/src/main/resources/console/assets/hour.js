// Draws the last hour from the numbers of the page's table. Without it the page has the table.
'use strict';
(() => {
  const MINUTE = 60;
  const HEIGHT = 240;
  const rows = [...document.querySelectorAll('[data-point]')].reverse();
  const place = document.getElementById('plot');
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  let plot = null;

  // A minute without a line is a gap: it ends the lines of the plot.
  const series = [[], [], [], []];
  for (const row of rows) {
    const point = row.dataset.point.split(' ').map(Number);
    const times = series[0];
    if (times.length > 0 && point[0] - times[times.length - 1] > MINUTE) {
      times.push(times[times.length - 1] + MINUTE);
      series.slice(1).forEach((values) => values.push(null));
    }
    point.forEach((value, i) => series[i].push(value));
  }

  function colour(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  }

  function clock(seconds) {
    return new Date(seconds * 1000).toISOString().slice(11, 16);
  }

  function draw() {
    if (plot) {
      plot.destroy();
    }
    const axis = { stroke: colour('--faint'), grid: { stroke: colour('--rule'), width: 1 }, ticks: { show: false },
      font: '12px system-ui, sans-serif' };
    const upward = { range: (u, min, max) => [0, Math.max(4, max * 1.1)] };
    plot = new uPlot({
      width: place.clientWidth,
      height: HEIGHT,
      cursor: { drag: { x: false, y: false } },
      legend: { live: false },
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      scales: { x: { range: (u, min, max) => [Math.min(min, max - 10 * MINUTE), max] }, line: upward, y: upward },
      axes: [{ ...axis, values: (u, times) => times.map(clock), space: 70 }, { ...axis, size: 48 },
        { ...axis, scale: 'line', side: 1, size: 48, grid: { show: false } }],
      series: [
        { label: 'UTC' },
        { label: 'certificates/s', stroke: colour('--calm'), width: 2, fill: colour('--calm-wash') },
        { label: 'refused/s', stroke: colour('--full'), width: 2, dash: [6, 4] },
        { label: 'on the line (right)', scale: 'line', stroke: colour('--busy'), width: 1.5 },
      ],
    }, series, place);
  }

  if (rows.length > 0) {
    document.getElementById('plot-panel').hidden = false;
    draw();
    dark.addEventListener('change', draw);
    new ResizeObserver(() => {
      if (place.clientWidth > 0 && place.clientWidth !== plot.width) {
        plot.setSize({ width: place.clientWidth, height: HEIGHT });
      }
    }).observe(place);
  }
})();
