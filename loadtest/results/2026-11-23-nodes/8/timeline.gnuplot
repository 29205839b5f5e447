set output 'timeline.svg'
set terminal svg size 900,480 font 'sans,12' background '#ffffff'
set key outside bottom center horizontal
set grid
set y2tics
set ytics nomirror
set yrange [0:*]
set y2range [0:*]
set ylabel 'certificates/s'
set y2label 'jobs in the queue of the HSM'
set title 'Issuance and the queue of the HSM over time'
set xlabel 's'
set arrow from 0.000000, graph 0 to 0.000000, graph 1 nohead dt 3
set label 'warm-up' at 0.000000, graph 0.98 rotate by 90 right font ',9' noenhanced
set arrow from 50.543717, graph 0 to 50.543717, graph 1 nohead dt 3
set label 'x0.8' at 50.543717, graph 0.98 rotate by 90 right font ',9' noenhanced
set arrow from 95.959039, graph 0 to 95.959039, graph 1 nohead dt 3
set label 'x1.5' at 95.959039, graph 0.98 rotate by 90 right font ',9' noenhanced
plot 'timeline.tsv' using 1:2 with lines lw 2 title 'certificates/s', '' using 1:3 axes x1y2 with lines title 'queue' noenhanced
