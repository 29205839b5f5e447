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
set arrow from 53.000000, graph 0 to 53.000000, graph 1 nohead dt 3
set label 'x0.2' at 53.000000, graph 0.98 rotate by 90 right font ',9' noenhanced offset 0.7,0
set arrow from 81.000000, graph 0 to 81.000000, graph 1 nohead dt 3
set label 'x0.4' at 81.000000, graph 0.98 rotate by 90 right font ',9' noenhanced offset 0.7,0
set arrow from 109.000000, graph 0 to 109.000000, graph 1 nohead dt 3
set label 'x0.6' at 109.000000, graph 0.98 rotate by 90 right font ',9' noenhanced offset 0.7,0
set arrow from 137.000000, graph 0 to 137.000000, graph 1 nohead dt 3
set label 'x0.7' at 137.000000, graph 0.98 rotate by 90 right font ',9' noenhanced offset 0.7,0
set arrow from 165.000000, graph 0 to 165.000000, graph 1 nohead dt 3
set label 'x0.8' at 165.000000, graph 0.98 rotate by 90 right font ',9' noenhanced offset 0.7,0
set arrow from 193.000000, graph 0 to 193.000000, graph 1 nohead dt 3
set label 'x0.9' at 193.000000, graph 0.98 rotate by 90 right font ',9' noenhanced offset 0.7,0
set arrow from 221.000000, graph 0 to 221.000000, graph 1 nohead dt 3
set label 'x0.95' at 221.000000, graph 0.98 rotate by 90 right font ',9' noenhanced offset 0.7,0
set arrow from 249.000000, graph 0 to 249.000000, graph 1 nohead dt 3
set label 'x1.05' at 249.000000, graph 0.98 rotate by 90 right font ',9' noenhanced offset 0.7,0
set arrow from 277.000000, graph 0 to 277.000000, graph 1 nohead dt 3
set label 'x1.2' at 277.000000, graph 0.98 rotate by 90 right font ',9' noenhanced offset 0.7,0
set arrow from 305.000000, graph 0 to 305.000000, graph 1 nohead dt 3
set label 'x1.5' at 305.000000, graph 0.98 rotate by 90 right font ',9' noenhanced offset 0.7,0
plot 'rates.tsv' using 1:2 with lines title 'offered',\
  '' using 1:3 with lines lw 2 title 'issued'
