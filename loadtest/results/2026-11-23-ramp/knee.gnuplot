set output 'knee.svg'
set terminal svg size 900,360 font 'sans,12' background '#ffffff'
set key outside top center horizontal
set grid
set yrange [0:*]
set samples 1000
set y2tics
set ytics nomirror
set y2range [0:*]
set arrow from 0.950000, graph 0 to 0.950000, graph 1 nohead dt 3
set label 'knee: 0.95' at 0.950000, graph 0.95 right offset -0.5,0
set title 'Issued and latency against offered load'
set xlabel 'offered, times the capacity of the HSM'
set ylabel 'certificates/s'
set y2label 'latency in ms, from when it was due'
plot (x < 1 ? x : 1) * 100.000000 title 'possible' dt 2,\
  'knee.tsv' using 1:2 with linespoints lw 2 title 'issued',\
  '' using 1:3 axes x1y2 with linespoints title 'latency p50 (right)',\
  '' using 1:4 axes x1y2 with linespoints title 'latency p99 (right)'
