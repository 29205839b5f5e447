set output 'latency.svg'
set terminal svg size 900,360 font 'sans,12' background '#ffffff'
set key outside bottom center horizontal
set grid
set yrange [0:*]
set title 'Latency of 201, from when it was due'
set ylabel 'ms'
set xlabel 'minutes'
plot 'latency.tsv' using 1:4 with lines lw 2 title 'p50',\
  '' using 1:5 with lines title 'p99'
