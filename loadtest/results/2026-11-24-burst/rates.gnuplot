set output 'rates.svg'
set terminal svg size 900,360 font 'sans,12' background '#ffffff'
set key outside top center horizontal
set grid
set yrange [0:*]
set samples 1000
set title 'Offered and issued'
set ylabel 'certificates/s'
set xrange [0:*]
set xlabel 'seconds from the beginning'
set arrow from 0.000000, graph 0 to 0.000000, graph 1 nohead dt 3
set label 'warm-up' at 0.000000, graph 0.98 rotate by 90 right font ',9' noenhanced offset 0.7,0
set arrow from 138.000000, graph 0 to 138.000000, graph 1 nohead dt 3
set label 'herd' at 138.000000, graph 0.98 rotate by 90 right font ',9' noenhanced offset 0.7,0
plot 'rates.tsv' using 1:2 with lines title 'offered',\
  '' using 1:3 with lines lw 2 title 'issued'
